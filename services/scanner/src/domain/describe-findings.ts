import { createHash } from 'node:crypto';
import type { Finding } from '@bomtrail/messages';
import { describeGroup, isDistribution, packageKey, type OsvRecord } from '@bomtrail/osv';
import type { GroupedAdvisory, Match } from './assess-version';
import type { MatchedComponent } from './component';
import { mergeFixedVersions } from './fixed-versions';

/** The matches of one package version that are one vulnerability. */
export interface GroupMatches {
  group: string;
  matches: Match[];
}

/**
 * The matches of a component that is several package versions, each advisory once: what matches
 * any of them. Takes the lists of its package versions.
 */
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

/** A described group: the digest of its details and their JSON text. */
export interface Described {
  key: string;
  json: string;
}

/** Matches by alias group, in the order of the first of each. */
export function groupMatches(matches: readonly Match[]): GroupMatches[] {
  const groups = new Map<string, Match[]>();
  for (const match of matches) {
    const group = groups.get(match.group);
    if (group) group.push(match);
    else groups.set(match.group, [match]);
  }
  return [...groups].map(([group, members]) => ({ group, matches: members }));
}

/** What a group's details depend on besides the advisories: which entries of which of them match. */
export function groupSignature({ group, matches }: GroupMatches): string {
  return JSON.stringify([group, matches.map(({ id, affected }) => [id, affected])]);
}

const keyLength = 32;

/**
 * Details of one group in one package, from all advisories of the group. Null when none of the
 * matching advisories counts any more: it was removed or withdrawn a moment ago.
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

/**
 * The package of a component's findings. A package of a distribution is known by its own name, not by
 * its source's: two binaries of one source are two findings. Every other one by its name as advisories
 * know it.
 */
export function findingPackageKey(
  component: Pick<MatchedComponent, 'package_name'>,
  { ecosystem, name }: { ecosystem: string; name: string },
): string {
  return packageKey(ecosystem, isDistribution(ecosystem) ? component.package_name : name);
}

/** One finding: a component, a group that affects it and the key of the group's details. */
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
