import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { summaryOf } from '../findings/findings-queries';
import type { FindingsSearch } from '../findings/findings-search';
import { text } from '../../text/en';
import styles from './projects.module.css';
import { SeverityCounts } from './severity-counts';

interface OpenCountsProps {
  scope: FindingsSearch;
  /** Shown instead of zeros if advisories are loaded. */
  nothing: ReactNode;
}

/** What is open in a project or service, by severity; each number leads to what it counts. */
export function OpenCounts({ scope, nothing }: OpenCountsProps) {
  const { data, isError } = useQuery(summaryOf(scope));
  if (!data) return <span className={styles.counts}>{isError ? '–' : '…'}</span>;
  return (
    <SeverityCounts
      counts={data}
      scope={scope}
      nothing={
        data.advisory_data === 'feed' ? nothing : text.projects.nothingOpen[data.advisory_data]
      }
    />
  );
}
