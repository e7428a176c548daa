import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Schemas } from '../../api/client';
import { ErrorNote } from '../../components/error-note';
import { Tag } from '../../components/parts';
import { text } from '../../text/en';
import styles from './projects.module.css';
import { gateFilter, gateOf } from './service-queries';
import { UntilItPasses } from './until-it-passes';

const kinds = { pass: 'good', fail: 'bad', undecided: 'warn' } as const;

/** Whether the newest version would pass a gate, what stands in its way, and which upgrades clear it. */
export function Gate(given: { sbomId: string; projectId: string; serviceId: string }) {
  const { sbomId, projectId, serviceId } = given;
  const { data: verdict, error, refetch } = useQuery(gateOf(sbomId));
  if (!verdict) return error && <ErrorNote error={error} onRetry={() => void refetch()} />;
  const scope = { project_id: projectId, service_id: serviceId };
  return (
    <>
      <Verdict verdict={verdict} serviceId={serviceId} />
      {verdict.verdict === 'fail' && <UntilItPasses scope={scope} verdict={verdict} />}
    </>
  );
}

interface VerdictProps {
  verdict: Schemas['SbomVerdict'];
  serviceId: string;
}

function Verdict({ verdict: { verdict, failing_total, reasons }, serviceId }: VerdictProps) {
  return (
    <p className={styles.gate}>
      <Tag kind={kinds[verdict]}>{text.projects.gate[verdict]}</Tag>{' '}
      {verdict === 'fail' ? (
        <Link to="/findings" search={{ service_id: serviceId, ...gateFilter }}>
          {text.projects.gateFails(failing_total)}
        </Link>
      ) : (
        verdict === 'pass' && text.projects.gatePasses
      )}
      {verdict === 'undecided' && reasons.map(({ message }) => message).join(' ')}
    </p>
  );
}
