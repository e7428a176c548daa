import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Tag } from '../../components/parts';
import { text } from '../../text/en';
import styles from './projects.module.css';
import { gateOf } from './service-queries';

const kinds = { pass: 'good', fail: 'bad', undecided: 'warn' } as const;

/** Whether the newest version would pass a gate, and what stands in its way. */
export function Gate({ sbomId, serviceId }: { sbomId: string; serviceId: string }) {
  const { data } = useQuery(gateOf(sbomId));
  if (!data) return null;
  return (
    <p className={styles.gate}>
      <Tag kind={kinds[data.verdict]}>{text.projects.gate[data.verdict]}</Tag>{' '}
      {data.verdict === 'fail' ? (
        <Link
          to="/findings"
          search={{ service_id: serviceId, severity: 'critical,high', has_fix: 'true' }}
        >
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
