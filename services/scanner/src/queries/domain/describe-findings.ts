import { createHash } from 'node:crypto';
import type { Finding } from '@bomtrail/messages';
import { describeGroup, findingPackageKey, type OsvRecord } from '@bomtrail/osv';
import type { GroupedAdvisory, Match } from '../../matching/domain/assess-version';
import type { MatchedComponent } from '../../matching/domain/component';
import { mergeFixedVersions } from './fixed-versions';

/** The matches of one package version that belong to one alias group. */
export interface GroupMatches {
  group: string;
  matches: Match[];
}

/** Merges the matches of a component's package versions; each advisory occurs once. */
export function mergeMatches(
  ecosystem: string,
  lists: readonly (readonly Match[])[],
): readonly Match[] {
  const [only = [], ...others] = lists.filter((list) => list.length > 0);
  if (others.length === 0) return only;
  const merged = new Map(only.map((match) => [match.id, match]));
  for (const match of others.flat()) {
    const known = merged.get(match.id);
    merged.set(match.id, known === undefined ? match : bothMatches(ecosystem, known, match));
  }
  return [...merged.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

function bothMatches(ecosystem: string, a: Match, b: Match): Match {
  return {
    ...a,
    affected: [...new Set([...a.affected, ...b.affected])].sort((x, y) => x - y),
    fixed: mergeFixedVersions(ecosystem, [a.fixed, b.fixed]),
  };
}

/** Details of a group: JSON text and its digest. */
export interface Described {
  key: string;
  json: string;
}

/** Groups matches by alias group, in order of first occurrence. */
export function groupMatches(matches: readonly Match[]): GroupMatches[] {
  const groups = new Map<string, Match[]>();
  for (const match of matches) {
    const group = groups.get(match.group);
    if (group) group.push(match);
    else groups.set(match.group, [match]);
  }
  return [...groups].map(([group, members]) => ({ group, matches: members }));
}

/** Identifies the details of a group, apart from the advisories: which `affected` entries match. */
export function groupSignature({ group, matches }: GroupMatches): string {
  return JSON.stringify([group, matches.map(({ id, affected }) => [id, affected])]);
}

const keyLength = 32;

/**
 * Describes one group in one package from all advisories of the group. Null when every matching
 * advisory was withdrawn or removed.
 */
export function describeMatches(
  matches: readonly Match[],
  advisories: readonly GroupedAdvisory[],
): Described | null {
  const affected = new Map(matches.map((match) => [match.id, match.affected]));
  const matching: { record: OsvRecord; affected: number[] }[] = [];
  const others: OsvRecord[] = [];
  for (const { record } of advisories) {
    const entries = record.withdrawn === null ? affected.get(record.id) : undefined;
    if (entries) matching.push({ record, affected: entries });
    else others.push(record);
  }
  if (matching.length === 0) return null;
  const json = JSON.stringify(describeGroup({ matching, others }));
  return { key: createHash('sha256').update(json).digest('hex').slice(0, keyLength), json };
}

/** Builds the finding of one component and one group. */
export function findingOf(
  component: MatchedComponent,
  version: { ecosystem: string; name: string; version: string },
  group: { matches: readonly Match[]; details: string },
): Finding {
  const { ecosystem } = version;
  return {
    purl: component.purl,
    package_name: component.package_name,
    package_version: component.package_version || version.version,
    ecosystem,
    is_direct: component.is_direct,
    ...(component.is_root ? { is_root: true } : {}),
    package_key: findingPackageKey(component, version),
    fixed_versions: mergeFixedVersions(
      ecosystem,
      group.matches.map(({ fixed }) => fixed),
    ),
    details: group.details,
  };
}
