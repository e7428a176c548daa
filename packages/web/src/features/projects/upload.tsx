import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { DropZone, FileTrigger, Button as AriaButton } from 'react-aria-components';
import { api, bodyOf, type Schemas } from '../../api/client';
import { uploadSbom } from '../../api/upload';
import { ErrorNote } from '../../components/error-note';
import { Field } from '../../components/field';
import { formatNumber } from '../../components/format';
import { problemOf } from '../../api/errors';
import controls from '../../components/controls.module.css';
import { text } from '../../text/en';
import { vulnerabilitiesKey } from '../findings/findings-queries';
import styles from './projects.module.css';
import { projectsKey } from './projects-queries';

type State =
  | { step: 'idle' }
  | { step: 'sending'; name: string; share: number }
  | { step: 'scanning'; name: string }
  | { step: 'done'; sbom: Schemas['SBOMDetailResponse'] }
  | { step: 'refused'; error: unknown };

/** The API waits this long (seconds) for a scan; after that the page asks again. */
const waitSeconds = 30;

/** Drop a document: it is sent, scanned, and the result stands in its place. */
export function Upload({ project }: { project: Schemas['ProjectResponse'] }) {
  const queries = useQueryClient();
  const [service, setService] = useState('');
  const [version, setVersion] = useState('');
  const [state, setState] = useState<State>({ step: 'idle' });

  async function send(file: File | undefined) {
    if (!file) return;
    const { name } = file;
    setState({ step: 'sending', name, share: 0 });
    try {
      const { id } = await uploadSbom({
        file,
        projectId: project.id,
        serviceName: service,
        version,
        onProgress: (share) => setState({ step: 'sending', name, share }),
      });
      setState({ step: 'scanning', name });
      const sbom = await scanned(id);
      setState({ step: 'done', sbom });
    } catch (error) {
      setState({ step: 'refused', error });
    }
    await queries.invalidateQueries({ queryKey: projectsKey });
    await queries.invalidateQueries({ queryKey: vulnerabilitiesKey });
  }

  const error = state.step === 'refused' ? state.error : null;
  return (
    <DropZone
      className={styles.drop ?? ''}
      aria-label={text.upload.title}
      onDrop={({ items }) => {
        const file = items.find((item) => item.kind === 'file');
        if (file?.kind === 'file') void file.getFile().then(send);
      }}
    >
      <div className={styles.form}>
        <Field
          label={text.upload.service}
          hint={text.upload.serviceHint}
          problem={problemOf(error, 'service_name')}
        >
          {(props) => (
            <input {...props} value={service} onChange={({ target }) => setService(target.value)} />
          )}
        </Field>
        <Field
          label={text.upload.version}
          hint={text.upload.versionHint}
          problem={problemOf(error, 'version')}
        >
          {(props) => (
            <input {...props} value={version} onChange={({ target }) => setVersion(target.value)} />
          )}
        </Field>
      </div>
      <div className={styles.choose}>
        <FileTrigger onSelect={(files) => void send(files?.[0])}>
          <AriaButton className={`${controls.button} ${controls.primary}`}>
            {text.upload.choose}
          </AriaButton>
        </FileTrigger>
        <span className={styles.faint}>{text.upload.drop}</span>
      </div>
      <div role="status">
        <Progress state={state} />
      </div>
    </DropZone>
  );
}

async function scanned(sbomId: string): Promise<Schemas['SBOMDetailResponse']> {
  const params = { path: { sbom_id: sbomId }, query: { wait: waitSeconds } };
  for (;;) {
    const sbom = await bodyOf(api.GET('/api/v1/sboms/{sbom_id}', { params }));
    if (sbom.scan_status !== 'pending') return sbom;
  }
}

function Progress({ state }: { state: State }) {
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
        : text.upload.done(formatNumber(sbom.dependency_count ?? 0), formatNumber(open))}{' '}
      <Link to="/sboms/$sbomId" params={{ sbomId: sbom.id }}>
        {text.upload.show}
      </Link>
    </p>
  );
}
