import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatNumber } from '../../components/format';
import { severities } from '../../components/severity-order';
import { text } from '../../text/en';
import { summaryOf } from '../findings/findings-queries';
import styles from './projects.module.css';

/** What is open in a project or service, by severity; each number leads to what it counts. */
export function OpenCounts({ projectId, serviceId }: { projectId: string; serviceId?: string }) {
  const scope = { project_id: projectId, ...(serviceId ? { service_id: serviceId } : {}) };
  const { data } = useQuery(summaryOf(scope));
  if (!data) return <span className={styles.counts}>…</span>;
  if (data.total === 0) {
    return <span className={styles.faint}>{text.projects.nothingOpen[data.advisory_data]}</span>;
  }
  return (
    <span className={styles.counts}>
      {severities
        .filter((severity) => data[severity] > 0)
        .map((severity) => (
          <Link
            key={severity}
            to="/findings"
            search={{ ...scope, severity }}
            className={styles[severity]}
          >
            {formatNumber(data[severity])} {text.severity[severity].toLowerCase()}
          </Link>
        ))}
    </span>
  );
}
