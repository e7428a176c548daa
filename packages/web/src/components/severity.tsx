import { text } from '../text/en';
import { severities, type Severity } from './severity-order';
import styles from './severity.module.css';

/** The severity as a word on its colour, with the score if there is one. */
export function SeverityBadge({ severity, score }: { severity: Severity; score?: number | null }) {
  return (
    <span className={`${styles.badge} ${styles[severity]}`}>
      {text.severity[severity]}
      {typeof score === 'number' && <span className={styles.score}>{score.toFixed(1)}</span>}
    </span>
  );
}

/** Counts by severity as parts of one bar; the numbers stand beside it as text. */
export function SeverityBar({ counts }: { counts: Record<Severity, number> }) {
  const total = severities.reduce((sum, one) => sum + counts[one], 0);
  if (total === 0) return <div className={styles.bar} aria-hidden="true" />;
  return (
    <div className={styles.bar} aria-hidden="true">
      {severities
        .filter((one) => counts[one] > 0)
        .map((one) => (
          <span key={one} className={styles[one]} style={{ flexGrow: counts[one] }} />
        ))}
    </div>
  );
}
