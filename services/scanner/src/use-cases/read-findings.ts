import { createHash } from 'node:crypto';
import { AppError, type Coverage, type Finding, type AdvisoryData } from '@bomtrail/messages';
import { packJson } from '@bomtrail/service-kit';
import type { StampedCache } from '../cache/stamped-cache';
import { versionIdsOf, type Hit } from '../domain/component';
import type { SetCounts } from '../domain/component-set';
import { advisoryDataOf, coverageOf } from '../domain/coverage';
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
import type { ComponentSetStore, EvaluatedSet } from '../store/component-set-store';
import type { FeedState } from '../store/feed-state-store';
import {
  assessmentAt,
  type PackageVersionDocument,
  type PackageVersionStore,
} from '../store/package-version-store';
import type { StandingsDeps } from './read-feeds';

export interface ReadFindingsDeps extends StandingsDeps {
  sets: ComponentSetStore;
  versions: PackageVersionStore;
  advisories: AdvisoryStore;
  versionCache: StampedCache<PackageVersionDocument>;
  descriptionCache: StampedCache<Described>;
  reportCache: StampedCache<CachedReport>;
  /** Reports by revision and hits: the component sets of a fleet differ where nothing is found. */
  bodyCache: StampedCache<Uint8Array>;
  setCache: StampedCache<EvaluatedSet>;
}

export interface FindingsAnswer {
  /** The findings are right for this revision. */
  revision: number;
  coverage: Coverage;
  advisory_data: AdvisoryData;
  /** `FindingsReport`, as `packJson` packs it. */
  report: Uint8Array;
}

/** What a cache may hold of an answer: the coverage moves with the age of the feeds. */
export type CachedReport = Omit<FindingsAnswer, 'coverage' | 'advisory_data'> & {
  counts: SetCounts;
};

const perRead = 500;
/** Feeds move seldom; a set whose report takes longer than the pause between two moves is asked for again. */
export const maxRounds = 5;

/**
 * The findings of a component set at one revision. Assembled again when the advisories moved in
 * between.
 *
 * @throws AppError `sbom_not_found` when the set was not evaluated yet
 */
export async function readFindings(
  deps: ReadFindingsDeps,
  digest: string,
): Promise<FindingsAnswer> {
  for (let round = 0; round < maxRounds; round += 1) {
    const state = await deps.feed.read();
    const cached = deps.reportCache.get(state.stamp, digest);
    if (cached) return answerOf(deps, cached, state);
    const savedSet = deps.setCache.get(state.stamp, digest);
    const set = savedSet ?? (await deps.sets.read(digest));
    if (!set) throw new AppError('sbom_not_found', 'This component set was not evaluated yet.');
    const at = readAt(set, state);
    const key = bodyKey(set, at);
    const known = deps.bodyCache.get(at.stamp, key);
    const report = known ?? (await assemble(deps, set, at));
    // What the caches hold is known to be of the stamp.
    const isRead = !savedSet || !known;
    if (isRead && (await deps.feed.read()).stamp !== state.stamp) continue;
    deps.bodyCache.set(at.stamp, key, report);
    const made = {
      revision: knownRevision(set, at.revision, state),
      counts: set.counts,
      report,
    };
    // One by older rules is about to be evaluated anew, which moves no stamp.
    if (set.isCurrent) deps.reportCache.set(state.stamp, digest, made);
    return answerOf(deps, made, state);
  }
  throw new AppError('service_unavailable', 'The advisories keep changing: repeat the request.');
}

/** The revision at which a set is read. */
export function readAt(set: EvaluatedSet, { stamp, settled_revision }: FeedState): At {
  return { stamp, revision: Math.max(set.revision, settled_revision) };
}

/** What stands on older rules is not right for the revision with which those of today came into force. */
export function knownRevision(set: EvaluatedSet, revision: number, state: FeedState): number {
  return set.isCurrent ? revision : Math.min(revision, (state.rules_revision ?? 1) - 1);
}

function answerOf(
  deps: StandingsDeps,
  { counts, ...report }: CachedReport,
  state: FeedState,
): FindingsAnswer {
  const standings = deps.standingsIn(state);
  return {
    ...report,
    coverage: coverageOf(counts, standings),
    advisory_data: advisoryDataOf(counts, standings, state.data),
  };
}

/** The revision that everything is read at, and the stamp that caches hold for. */
export interface At {
  stamp: number;
  revision: number;
}

function bodyKey({ hits }: EvaluatedSet, { revision }: At): string {
  return `${revision} ${createHash('sha256').update(JSON.stringify(hits)).digest('base64')}`;
}

async function assemble(deps: ReadFindingsDeps, set: EvaluatedSet, at: At): Promise<Uint8Array> {
  const findings: string[] = [];
  const details = new Map<string, string>();
  for (const { finding, description } of await describeHits(deps, set.hits, at)) {
    findings.push(JSON.stringify(finding));
    details.set(description.key, description.json);
  }
  const vulnerabilities = [...details].map(([key, json]) => `"${key}":${json}`);
  const text = `{"findings":[${findings.join()}],"vulnerabilities":{${vulnerabilities.join()}}}`;
  return packJson(text);
}

/** One alias group that affects one component. */
export interface DescribedFinding {
  hit: Hit;
  finding: Finding;
  description: Described;
}

/**
 * What is found in components at one revision, in their order.
 *
 * @param at `packages`: the only ones whose findings are wanted; absent or null: all are
 */
export async function describeHits(
  deps: ReadFindingsDeps,
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
  deps: ReadFindingsDeps,
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
  deps: ReadFindingsDeps,
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
  deps: ReadFindingsDeps,
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
