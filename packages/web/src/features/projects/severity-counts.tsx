import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Schemas } from '../../api/client';
import { formatNumber } from '../../components/format';
import { severities } from '../../components/severity-order';
import { text } from '../../text/en';
import type { FindingsSearch } from '../findings/findings-search';
import styles from './projects.module.css';

interface SeverityCountsProps {
  counts: Schemas['SeverityCounts'];
  /** What the numbers count; each leads to it. Omitted: numbers alone. */
  scope?: FindingsSearch;
  /** Shown instead of zeros. */
  nothing: ReactNode;
}

/** Counts by severity, those that are zero left out. */
export function SeverityCounts({ counts, scope, nothing }: SeverityCountsProps) {
  const there = severities.filter((severity) => counts[severity] > 0);
  if (there.length === 0) return <span className={styles.faint}>{nothing}</span>;
  return (
    <span className={styles.counts}>
      {there.map((severity) => {
        const said = `${formatNumber(counts[severity])} ${text.severity[severity].toLowerCase()}`;
        return scope ? (
          <Link
            key={severity}
            to="/findings"
            search={{ ...scope, severity }}
            className={styles[severity]}
          >
            {said}
          </Link>
        ) : (
          <span key={severity} className={styles[severity]}>
            {said}
          </span>
        );
      })}
    </span>
  );
}
