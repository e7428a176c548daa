import { useQuery } from '@tanstack/react-query';
import { summaryOf } from '../findings/findings-queries';
import type { FindingsSearch } from '../findings/findings-search';
import { text } from '../../text/en';
import styles from './projects.module.css';
import { SeverityCounts } from './severity-counts';

/** What is open in a project or service, by severity; each number leads to what it counts. */
export function OpenCounts({ scope }: { scope: FindingsSearch }) {
  const { data } = useQuery(summaryOf(scope));
  if (!data) return <span className={styles.counts}>…</span>;
  return (
    <SeverityCounts
      counts={data}
      scope={scope}
      nothing={text.projects.nothingOpen[data.advisory_data]}
    />
  );
}
