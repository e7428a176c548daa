import { wordsOf } from '../../app/search-params';
import { formatNumber } from '../../components/format';
import { severities } from '../../components/severity-order';
import { text } from '../../text/en';
import type { FilterPart } from './filter-part';
import styles from './findings.module.css';
import { chosenSeverities, statuses, toggled } from './findings-search';
import { useSummary } from './use-summary';

/** One chip a severity, with how many are open; several may be chosen. */
export function SeverityChips({ search, onChange }: FilterPart) {
  const chosen = chosenSeverities(search);
  const { data } = useSummary(search);
  const counted = !search.status;
  return (
    <div className={styles.chips} role="group" aria-label={text.findings.severity}>
      {severities.map((one) => (
        <button
          key={one}
          type="button"
          className={styles.chip}
          aria-pressed={chosen.includes(one)}
          onClick={() => onChange({ severity: toggled(chosen, one) || undefined })}
        >
          <span className={`${styles.dot} ${styles[one]}`} aria-hidden="true" />
          {text.severity[one]}
          {counted && <b>{data ? formatNumber(data[one]) : '·'}</b>}
        </button>
      ))}
    </div>
  );
}

export function StatusChips({ search, onChange }: FilterPart) {
  const chosen = wordsOf(search.status ?? 'open', statuses);
  return (
    <div className={styles.chips} role="group" aria-label={text.findings.status}>
      {statuses.map((one) => (
        <button
          key={one}
          type="button"
          className={styles.chip}
          aria-pressed={chosen.includes(one)}
          onClick={() => {
            const next = toggled(chosen, one);
            onChange({ status: next === 'open' || next === '' ? undefined : next });
          }}
        >
          {text.status[one]}
        </button>
      ))}
    </div>
  );
}

const flags = ['kev', 'overdue', 'has_fix', 'is_direct'] as const;

/** The flags that are asked for most; their opposites are among the further filters. */
export function FlagChips({ search, onChange }: FilterPart) {
  return (
    <div className={styles.chips} role="group" aria-label={text.findings.only}>
      {flags.map((flag) => (
        <button
          key={flag}
          type="button"
          className={styles.chip}
          aria-pressed={search[flag] === 'true'}
          onClick={() => onChange({ [flag]: search[flag] === 'true' ? undefined : 'true' })}
        >
          {text.findings.flags[flag]}
        </button>
      ))}
    </div>
  );
}
