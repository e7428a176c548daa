import type { Finding } from '@bomtrail/messages';
import type { StampedCache } from '../cache/stamped-cache';
import { versionIdsOf, type Hit } from '../domain/component';
import {
  describeMatches,
  findingOf,
  findingPackageKey,
  groupMatches,
  groupSignature,
  mergeMatches,
  type Described,
  type GroupMatches,
} from '../domain/describe-findings';
import { pagesOf } from '../domain/pages';
import type { StoredAdvisory } from '../store/advisory-documents';
import type { AdvisoryStore } from '../store/advisory-store';
import {
  assessmentAt,
  type PackageVersionDocument,
  type PackageVersionStore,
} from '../store/package-version-store';

export interface DescribeHitsDeps {
  versions: PackageVersionStore;
  advisories: AdvisoryStore;
  versionCache: StampedCache<PackageVersionDocument>;
  descriptionCache: StampedCache<Described>;
}

/** The revision that everything is read at, and the stamp that caches hold for. */
export interface At {
  stamp: number;
  revision: number;
}

const perRead = 500;
/** Components, and their matches, that are described together: some megabytes. */
const hitsAtOnce = 500;
const matchesAtOnce = 500;
/** Of a hit whose matches were not counted, which earlier releases stored. */
const assumedMatches = 100;

/** One alias group that affects one component. */
export interface DescribedFinding {
  hit: Hit;
  finding: Finding;
  description: Described;
}

/**
 * What is found in components at one revision, in their order: some components at a time, so that memory is
 * bounded by those of them that have the most findings.
 *
 * @param at `packages`: the only ones whose findings are wanted; absent or null: all are
 * @returns pages, each with how many of the components it ends at
 */
export async function* describeHits(
  deps: DescribeHitsDeps,
  hits: readonly Hit[],
  at: At & { packages?: ReadonlySet<string> | null },
): AsyncGenerator<{ found: DescribedFinding[]; upTo: number }> {
  const pages = pagesOf(hits, {
    ...{ items: hitsAtOnce, size: matchesAtOnce },
    sizeOf: ({ matches }) => matches ?? assumedMatches,
  });
  let upTo = 0;
  for (const page of pages) {
    upTo += page.length;
    yield { found: await describeTogether(deps, page, at), upTo };
  }
}

async function describeTogether(
  deps: DescribeHitsDeps,
  hits: readonly Hit[],
  at: At & { packages?: ReadonlySet<string> | null },
): Promise<DescribedFinding[]> {
  const versions = await versionsOf(deps, hits, at);
  const versionsIn = (hit: Hit): PackageVersionDocument[] =>
    versionIdsOf(hit).flatMap((id) => versions.get(id) ?? []);
  const wanted = hits.flatMap((hit): [Hit, PackageVersionDocument][] => {
    const [version] = versionsIn(hit);
    if (!version) return [];
    const isWanted = !at.packages || at.packages.has(findingPackageKey(hit, version));
    return isWanted ? [[hit, version]] : [];
  });
  const groups = new Map<string, GroupMatches[]>();
  for (const [hit] of wanted) {
    const key = groupsKey(hit);
    if (groups.has(key)) continue;
    const known = versionsIn(hit);
    const lists = known.map((one) => (assessmentAt(one, at.revision) ?? one).matches);
    groups.set(key, groupMatches(mergeMatches(known[0]?.ecosystem ?? '', lists)));
  }
  const described = await describe(deps, [...groups.values()].flat(), at);

  const found: DescribedFinding[] = [];
  for (const [hit, version] of wanted) {
    for (const group of groups.get(groupsKey(hit)) ?? []) {
      const description = described.get(groupSignature(group));
      if (!description) continue;
      const { matches } = group;
      const finding = findingOf(hit, version, { matches, details: description.key });
      found.push({ hit, finding, description });
    }
  }
  return found;
}

/** Components that are the same package versions have the same matches. */
function groupsKey(hit: Hit): string {
  return versionIdsOf(hit).join();
}

async function versionsOf(
  deps: DescribeHitsDeps,
  hits: readonly Hit[],
  { stamp }: At,
): Promise<Map<string, PackageVersionDocument>> {
  const versions = new Map<string, PackageVersionDocument>();
  const missing = new Set<string>();
  for (const id of hits.flatMap(versionIdsOf)) {
    const cached = deps.versionCache.get(stamp, id);
    if (cached) versions.set(id, cached);
    else missing.add(id);
  }
  for (const ids of pagesOf(missing, { items: perRead })) {
    for (const document of await deps.versions.find(ids)) versions.set(document._id, document);
  }
  return versions;
}

/** The descriptions by the groups' signatures; a group of which no matching advisory is left has none. */
async function describe(
  deps: DescribeHitsDeps,
  groups: readonly GroupMatches[],
  { stamp, revision }: At,
): Promise<Map<string, Described>> {
  const described = new Map<string, Described>();
  const missing = new Map<string, GroupMatches>();
  for (const group of groups) {
    const signature = groupSignature(group);
    const cached = deps.descriptionCache.get(stamp, `${revision} ${signature}`);
    if (cached) described.set(signature, cached);
    else missing.set(signature, group);
  }
  for (const page of pagesOf(missing, { items: perRead })) {
    const advisories = await readGroups(
      deps,
      page.map(([, group]) => group),
      revision,
    );
    for (const [signature, { group, matches }] of page) {
      const members = advisories.get(group) ?? [];
      const description = describeMatches(matches, members);
      if (!description) continue;
      described.set(signature, description);
      deps.descriptionCache.set(stamp, `${revision} ${signature}`, description);
    }
  }
  return described;
}

async function readGroups(
  deps: DescribeHitsDeps,
  groups: readonly GroupMatches[],
  revision: number,
): Promise<Map<string, StoredAdvisory[]>> {
  const names = new Set(groups.map(({ group }) => group));
  const byGroup = new Map<string, StoredAdvisory[]>();
  for (const advisory of await deps.advisories.findByGroups([...names], revision)) {
    const members = byGroup.get(advisory.group);
    if (members) members.push(advisory);
    else byGroup.set(advisory.group, [advisory]);
  }
  return byGroup;
}
