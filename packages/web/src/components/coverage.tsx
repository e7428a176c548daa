import type { ReactNode } from 'react';
import type { Schemas } from '../api/client';
import { text } from '../text/en';
import { formatNumber } from './format';
import styles from './coverage.module.css';

/** How many components were checked: what every “no findings” is based on. */
export function CoverageBar({ coverage }: { coverage: Schemas['Coverage'] | null }) {
  if (!coverage) return <p className={styles.words}>{text.coverage.none}</p>;
  const { evaluated, components } = coverage;
  const share = components > 0 ? evaluated / components : 0;
  return (
    <div className={styles.coverage}>
      <p className={styles.words}>
        {text.coverage.checked(formatNumber(evaluated), formatNumber(components))}
      </p>
      <div className={styles.track} aria-hidden="true">
        <span style={{ width: `${share * 100}%` }} />
      </div>
      <Reasons undetermined={coverage.undetermined} />
    </div>
  );
}

function Reasons({ undetermined }: { undetermined: Record<string, number> }): ReactNode {
  const reasons = Object.entries(undetermined).filter(([, count]) => count > 0);
  if (reasons.length === 0) return null;
  return (
    <ul className={styles.reasons}>
      {reasons.map(([reason, count]) => (
        <li key={reason}>
          <b>{formatNumber(count)}</b> {reasonText(reason)}
        </li>
      ))}
    </ul>
  );
}

/** Why a component could not be checked, as words. */
export function reasonText(reason: string): string {
  return (text.coverage.reasons as Record<string, string>)[reason] ?? reason;
}
