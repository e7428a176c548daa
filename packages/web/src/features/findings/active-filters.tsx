import { formatDay, formatShare } from '../../components/format';
import { text } from '../../text/en';
import type { FilterPart } from './filter-part';
import styles from './findings.module.css';
import type { FindingsSearch } from './findings-search';

type Name = keyof FindingsSearch;

/** The filters that no pressed chip shows, in words. */
export function filtersInWords(search: FindingsSearch): (readonly [Name, string])[] {
  const { active, further } = text.findings;
  const words: readonly (readonly [Name, string | false | undefined])[] = [
    ['cve_id', search.cve_id],
    ['package_name', search.package_name],
    ['purl', search.purl],
    ['ecosystem', search.ecosystem],
    ['kev', search.kev === 'false' && active.notExploited],
    ['has_fix', search.has_fix === 'false' && active.noFix],
    ['is_direct', search.is_direct === 'false' && active.indirect],
    ['overdue', search.overdue === 'false' && active.notOverdue],
    ['detected_since', search.detected_since && active.since(formatDay(search.detected_since))],
    ['decision', search.decision && text.findings.triage[search.decision]],
    ['owner', search.owner && active.owner(search.owner)],
    ['has_owner', search.has_owner && further.flags.has_owner[asked(search.has_owner)]],
    ['label', search.label && active.label(search.label)],
    ['min_epss', search.min_epss && active.minEpss(formatShare(Number(search.min_epss)))],
  ];
  return words.flatMap(([name, said]) => (said ? [[name, said] as const] : []));
}

function asked(flag: 'true' | 'false'): 'yes' | 'no' {
  return flag === 'true' ? 'yes' : 'no';
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
