import type { Finding } from '@bomtrail/messages';
import type { StampedCache } from '../cache/stamped-cache';
import { versionIdsOf, type MatchedComponent } from '../matching/domain/component';
import {
  describeMatches,
  findingOf,
  groupMatches,
  groupSignature,
  mergeMatches,
  type Described,
  type GroupMatches,
} from './domain/describe-findings';
import { findingPackageKey } from '@bomtrail/osv';
import { pagesOf } from '../domain/pages';
import type { StoredAdvisory } from '../feeds/store/advisory-documents';
import type { AdvisoryStore } from '../feeds/store/advisory-store';
import {
  assessmentAt,
  type AssessedVersions,
  type PackageVersionDocument,
} from '../matching/store/package-version-store';

export interface DescribeComponentsDeps {
  versions: Pick<AssessedVersions, 'find'>;
  advisories: AdvisoryStore;
  versionCache: StampedCache<PackageVersionDocument>;
  descriptionCache: StampedCache<Described>;
}

/** The revision to read, and the stamp for caches. */
export interface At {
  stamp: number;
  revision: number;
}

const perRead = 500;
/** Components and matches described at once: some megabytes. */
const componentsAtOnce = 500;
const matchesAtOnce = 500;

/** One alias group that affects one component. */
export interface DescribedFinding {
  component: MatchedComponent;
  finding: Finding;
  description: Described;
}

/**
 * Describes the findings of components at one revision, in order and in pages of bounded size.
 *
 * @param at `packages`: only findings of these packages; absent or null: all
 * @returns pages; `upTo`: number of components up to the end of the page
 */
export async function* describeComponents(
  deps: DescribeComponentsDeps,
  matched: readonly MatchedComponent[],
  at: At & { packages?: ReadonlySet<string> | null },
): AsyncGenerator<{ found: DescribedFinding[]; upTo: number }> {
  const pages = pagesOf(matched, {
    items: componentsAtOnce,
    size: matchesAtOnce,
    sizeOf: ({ matches }) => matches,
  });
  let upTo = 0;
  for (const page of pages) {
    upTo += page.length;
    yield { found: await describePage(deps, page, at), upTo };
  }
}

async function describePage(
  deps: DescribeComponentsDeps,
  matched: readonly MatchedComponent[],
  at: At & { packages?: ReadonlySet<string> | null },
): Promise<DescribedFinding[]> {
  const versions = await versionsOf(deps, matched, at);
  const versionsIn = (component: MatchedComponent): PackageVersionDocument[] =>
    versionIdsOf(component).flatMap((id) => versions.get(id) ?? []);
  const wanted = matched.flatMap((component): [MatchedComponent, PackageVersionDocument][] => {
    const [version] = versionsIn(component);
    if (!version) return [];
    const isWanted = !at.packages || at.packages.has(findingPackageKey(component, version));
    return isWanted ? [[component, version]] : [];
  });
  const groups = new Map<string, GroupMatches[]>();
  for (const [component] of wanted) {
    const key = groupsKey(component);
    if (groups.has(key)) continue;
    const known = versionsIn(component);
    const lists = known.map((one) => (assessmentAt(one, at.revision) ?? one).matches);
    groups.set(key, groupMatches(mergeMatches(known[0]?.ecosystem ?? '', lists)));
  }
  const described = await describe(deps, [...groups.values()].flat(), at);

  const found: DescribedFinding[] = [];
  for (const [component, version] of wanted) {
    for (const group of groups.get(groupsKey(component)) ?? []) {
      const description = described.get(groupSignature(group));
      if (!description) continue;
      const { matches } = group;
      const finding = findingOf(component, version, { matches, details: description.key });
      found.push({ component, finding, description });
    }
  }
  return found;
}

/** Components with the same package versions have the same matches. */
function groupsKey(component: MatchedComponent): string {
  return versionIdsOf(component).join();
}

async function versionsOf(
  deps: DescribeComponentsDeps,
  matched: readonly MatchedComponent[],
  { stamp }: At,
): Promise<Map<string, PackageVersionDocument>> {
  const versions = new Map<string, PackageVersionDocument>();
  const missing = new Set<string>();
  for (const id of matched.flatMap(versionIdsOf)) {
    const cached = deps.versionCache.get(stamp, id);
    if (cached) versions.set(id, cached);
    else missing.add(id);
  }
  for (const ids of pagesOf(missing, { items: perRead })) {
    for (const document of await deps.versions.find(ids)) versions.set(document._id, document);
  }
  return versions;
}

/** Descriptions by group signature; missing when no matching advisory is left. */
async function describe(
  deps: DescribeComponentsDeps,
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
  deps: DescribeComponentsDeps,
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
