import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Schemas } from '../../api/client';
import { Tag } from '../../components/parts';
import { text } from '../../text/en';
import styles from './projects.module.css';
import { gateFilter, gateOf } from './service-queries';
import { UntilItPasses } from './until-it-passes';

const kinds = { pass: 'good', fail: 'bad', undecided: 'warn' } as const;

/** Whether the newest version would pass a gate, what stands in its way, and which upgrades clear it. */
export function Gate(given: { sbomId: string; projectId: string; serviceId: string }) {
  const { sbomId, projectId, serviceId } = given;
  const { data } = useQuery(gateOf(sbomId));
  if (!data) return null;
  const scope = { project_id: projectId, service_id: serviceId };
  return (
    <>
      <Verdict verdict={data} serviceId={serviceId} />
      {data.verdict === 'fail' && <UntilItPasses scope={scope} verdict={data} />}
    </>
  );
}

function Verdict({
  verdict: data,
  serviceId,
}: {
  verdict: Schemas['SbomVerdict'];
  serviceId: string;
}) {
  return (
    <p className={styles.gate}>
      <Tag kind={kinds[data.verdict]}>{text.projects.gate[data.verdict]}</Tag>{' '}
      {data.verdict === 'fail' ? (
        <Link to="/findings" search={{ service_id: serviceId, ...gateFilter }}>
          {text.projects.gateFails(data.failing_total)}
        </Link>
      ) : (
        data.verdict === 'pass' && text.projects.gatePasses
      )}
      {data.reasons
        .filter(() => data.verdict === 'undecided')
        .map(({ message }) => message)
        .join(' ')}
    </p>
  );
}
