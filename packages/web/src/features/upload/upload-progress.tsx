import { Link } from '@tanstack/react-router';
import type { Schemas } from '../../api/client';
import { ErrorNote } from '../../components/error-note';
import { counted, formatNumber } from '../../components/format';
import { text } from '../../text/en';
import styles from './upload.module.css';
import type { UploadState } from './use-upload';

/** Where an upload is, and in the end what was found. */
export function UploadProgress({ state }: { state: UploadState }) {
  return <div role="status">{contentOf(state)}</div>;
}

function contentOf(state: UploadState) {
  switch (state.step) {
    case 'idle':
      return null;
    case 'sending':
      return (
        <>
          <p>{text.upload.sending(state.name)}</p>
          <progress
            className={styles.progress}
            value={state.share}
            aria-label={text.upload.progress}
          />
        </>
      );
    case 'scanning':
      return (
        <>
          <p>{text.upload.scanning(state.name)}</p>
          <progress className={styles.progress} aria-label={text.upload.progress} />
        </>
      );
    case 'unread':
      return (
        <p>
          {text.upload.unread(state.name)}{' '}
          <Link to="/sboms/$sbomId" params={{ sbomId: state.sbomId }}>
            {text.upload.show}
          </Link>
        </p>
      );
    case 'refused':
      return <ErrorNote error={state.error} />;
    case 'done':
      return <Result sbom={state.sbom} />;
  }
}

function Result({ sbom }: { sbom: Schemas['SBOMDetailResponse'] }) {
  const open = sbom.vulnerabilities.filter(({ status }) => status === 'open').length;
  return (
    <p>
      {sbom.scan_status === 'failed'
        ? text.upload.failed(sbom.scan_error ?? '')
        : text.upload.done(
            counted(sbom.dependency_count ?? 0, 'dependency', 'dependencies'),
            counted(open, 'open finding', 'open findings'),
          )}{' '}
      {sbom.coverage &&
        text.coverage.checked(
          formatNumber(sbom.coverage.evaluated),
          formatNumber(sbom.coverage.components),
        )}
      {'. '}
      <Link to="/sboms/$sbomId" params={{ sbomId: sbom.id }}>
        {text.upload.show}
      </Link>
    </p>
  );
}
