import type { Dependency } from '../normalised-sbom';
import { LICENCE_IDS } from './licence-list';
import { licenceGroup, type LicenceGroup } from './licence-groups';
import { parseLicence, togetherIn, type LicenceExpression } from './parse-expression';

/** Increase it whenever the same components may give other entries: stored sets are read again. */
export const LICENCE_INDEX_VERSION = 5;

/** Components of one set by a licence id or a group. */
export interface LicenceEntry {
  /** `id:AGPL-3.0-only` or `group:network_copyleft`; `LICENCES_LEFT_OUT`. */
  key: string;
  /** Number of components. */
  count: number;
  /** The first ones by name; texts are cut. */
  first: LicensedComponent[];
}

export interface LicensedComponent {
  name: string;
  version: string;
  purl: string | null;
  /** As in the document; null: none. */
  license: string | null;
}

/** Components that are listed with an entry. */
const MAX_FIRST = 5;
/** Characters of a text in an entry. */
const MAX_TEXT = 200;
/** `LicenseRef-…` ids of one set: entries stay far below the limit of a stored document. */
const MAX_OWN_IDS = 1_000;

/** The key of components with an own id that has no entry, because there are too many or it is too long. */
export const LICENCES_LEFT_OUT = 'left-out';

type Licensed = Pick<Dependency, 'name' | 'version' | 'purl' | 'license'>;
/**
 * docs/rules.md LI5. Which licence ids and groups the components have: every id that an expression
 * names, and the group of the whole expression.
 */
export function indexLicences(components: readonly Licensed[]): LicenceEntry[] {
  const entries = new Map<string, LicenceEntry>();
  const entriesByLicence = new Map<string | null, LicenceEntry[]>();
  let ownIds = 0;

  const entryOf = (key: string): LicenceEntry => {
    const entry = entries.get(key) ?? { key, count: 0, first: [] };
    entries.set(key, entry);
    return entry;
  };
  const isKept = (id: string): boolean => {
    if (!isOwnId(id) || entries.has(idKey(id))) return true;
    if (id.length > MAX_TEXT || ownIds >= MAX_OWN_IDS) return false;
    ownIds += 1;
    return true;
  };
  const entriesOf = (license: string | null): LicenceEntry[] => {
    const expression = license === null ? null : parseLicence(license);
    const group = expression === null ? 'unknown' : licenceGroup(expression);
    const known = expression ? [expression] : togetherIn(license ?? '').map(parseLicence);
    const ids = [...new Set(known.flatMap(idsOf))];
    return [
      entryOf(licenceGroupKey(group)),
      ...ids.map((id) => entryOf(isKept(id) ? idKey(id) : LICENCES_LEFT_OUT)),
    ];
  };

  for (const component of components) {
    const { license } = component;
    const found = entriesByLicence.get(license) ?? entriesOf(license);
    entriesByLicence.set(license, found);
    for (const entry of found) {
      entry.count += 1;
      if (entry.first.length < MAX_FIRST) entry.first.push(cut(component));
    }
  }
  return [...entries.values()];
}

/**
 * The key of a licence id, deprecated ones replaced; null for a text that is no single id. `similar`: ids of
 * the list that begin with the text.
 */
export function licenceIdKey(text: string): { key: string | null; similar: string[] } {
  const ids = idsOf(parseLicence(text.trim()));
  const [id] = ids;
  if (ids.length === 1 && id !== undefined) return { key: idKey(id), similar: [] };
  const start = text.trim().toLowerCase();
  const similar = LICENCE_IDS.filter((one) => one.toLowerCase().startsWith(start));
  return { key: null, similar: start === '' ? [] : similar.slice(0, MAX_FIRST) };
}

/** Whether components with this id may be among those that are left out. */
export function mayBeLeftOut(key: string): boolean {
  return isOwnId(key);
}

export function licenceGroupKey(group: LicenceGroup): string {
  return `group:${group}`;
}

function idsOf(expression: LicenceExpression | null): string[] {
  if (expression === null) return [];
  return 'operator' in expression ? expression.operands.flatMap(idsOf) : [expression.id];
}

function isOwnId(id: string): boolean {
  return /(?:LicenseRef|AdditionRef)-/.test(id);
}

function idKey(id: string): string {
  return `id:${id}`;
}

function cut({ name, version, purl, license }: Licensed): LicensedComponent {
  return {
    name: name.slice(0, MAX_TEXT),
    version: version.slice(0, MAX_TEXT),
    purl: purl?.slice(0, MAX_TEXT) ?? null,
    license: license?.slice(0, MAX_TEXT) ?? null,
  };
}
