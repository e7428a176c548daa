import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Schemas } from '../../api/client';
import { summaryOf } from '../findings/findings-queries';
import type { FindingsSearch } from '../findings/findings-search';
import styles from './projects.module.css';
import { SeverityCounts } from './severity-counts';

interface OpenCountsProps {
  scope: FindingsSearch;
  /** Shown instead of zeros, by the advisories that they are of. */
  nothing: (data: Schemas['AdvisoryData']) => ReactNode;
}

/** What is open in a project or service, by severity; each number leads to what it counts. */
export function OpenCounts({ scope, nothing }: OpenCountsProps) {
  const { data, isError } = useQuery(summaryOf(scope));
  if (!data) return <span className={styles.counts}>{isError ? '–' : '…'}</span>;
  return <SeverityCounts counts={data} scope={scope} nothing={nothing(data.advisory_data)} />;
}
