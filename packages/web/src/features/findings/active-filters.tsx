import { formatDay, formatShare } from '../../components/format';
import { text } from '../../text/en';
import type { FilterPart } from './filter-part';
import styles from './findings.module.css';
import type { FindingsSearch } from './findings-search';

type Name = keyof FindingsSearch;

/** The filters that no pressed chip shows, in words. */
export function filtersInWords(search: FindingsSearch): (readonly [Name, string])[] {
  const { active, further, triage } = text.findings;
  const { flags } = further;
  const words: readonly (readonly [Name, string | false | undefined])[] = [
    ['cve_id', search.cve_id],
    ['package_name', search.package_name],
    ['purl', search.purl],
    ['ecosystem', search.ecosystem],
    ['kev', search.kev === 'false' && flags.kev.no],
    ['has_fix', search.has_fix === 'false' && flags.has_fix.no],
    ['is_direct', search.is_direct === 'false' && flags.is_direct.no],
    ['overdue', search.overdue === 'false' && flags.overdue.no],
    ['detected_since', search.detected_since && active.since(formatDay(search.detected_since))],
    ['decision', search.decision && triage[search.decision]],
    ['owner', search.owner && active.owner(search.owner)],
    ['has_owner', search.has_owner && flags.has_owner[search.has_owner === 'true' ? 'yes' : 'no']],
    ['label', search.label && active.label(search.label)],
    ['min_epss', search.min_epss && active.minEpss(formatShare(Number(search.min_epss)))],
  ];
  return words.flatMap(([name, said]) => (said ? [[name, said] as const] : []));
}

/** A chip for each of these filters; a click takes it away. */
export function ActiveFilters({ search, onChange }: FilterPart) {
  return filtersInWords(search).map(([name, said]) => (
    <button
      key={name}
      type="button"
      className={styles.active}
      title={said}
      aria-label={text.findings.active.remove(said)}
      onClick={() => onChange({ [name]: undefined })}
    >
      <span>{said}</span>
      <span aria-hidden="true">✕</span>
    </button>
  ));
}
