import { AppError, type Coverage, type Finding, type AdvisoryData } from '@bomtrail/messages';
import { packJson } from '@bomtrail/service-kit';
import type { StampedCache } from '../cache/stamped-cache';
import { versionIdsOf, type Hit } from '../domain/component';
import type { SetCounts } from '../domain/component-set';
import { coverageOf } from '../domain/coverage';
import {
  describeMatches,
  findingOf,
  groupMatches,
  groupSignature,
  mergeMatches,
  type Described,
  type GroupMatches,
} from '../domain/describe-findings';
import { pagesOf } from '../domain/pages';
import type { AdvisoryStore, StoredAdvisory } from '../store/advisory-store';
import type { ComponentSetStore, EvaluatedSet } from '../store/component-set-store';
import type { FeedState } from '../store/feed-state-store';
import type { PackageVersionDocument, PackageVersionStore } from '../store/package-version-store';
import type { StandingsDeps } from './read-feeds';

export interface ReadFindingsDeps extends StandingsDeps {
  sets: ComponentSetStore;
  versions: PackageVersionStore;
  advisories: AdvisoryStore;
  versionCache: StampedCache<PackageVersionDocument>;
  descriptionCache: StampedCache<Described>;
  reportCache: StampedCache<CachedReport>;
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
export type CachedReport = Omit<FindingsAnswer, 'coverage'> & { counts: SetCounts };

const perRead = 500;
/** Feeds move seldom; a set whose report takes longer than the pause between two moves is asked for again. */
const maxRounds = 5;

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
    const set = await deps.sets.read(digest);
    if (!set) throw new AppError('sbom_not_found', 'This component set was not evaluated yet.');
    const report = await assemble(deps, set, state);
    if ((await deps.feed.read()).stamp !== state.stamp) continue;
    const made = {
      revision: Math.max(set.revision, state.settled_revision),
      counts: set.counts,
      advisory_data: state.data,
      report,
    };
    deps.reportCache.set(state.stamp, digest, made);
    return answerOf(deps, made, state);
  }
  throw new AppError('service_unavailable', 'The advisories keep changing: repeat the request.');
}

function answerOf(
  deps: StandingsDeps,
  { counts, ...report }: CachedReport,
  state: FeedState,
): FindingsAnswer {
  return { ...report, coverage: coverageOf(counts, deps.standingsIn(state)) };
}

async function assemble(
  deps: ReadFindingsDeps,
  set: EvaluatedSet,
  state: FeedState,
): Promise<Uint8Array> {
  const versions = await versionsOf(deps, set, state);
  const groups = new Map<string, GroupMatches[]>();
  for (const hit of set.hits) {
    const key = groupsKey(hit);
    if (groups.has(key)) continue;
    const known = versionIdsOf(hit).flatMap((id) => versions.get(id) ?? []);
    const lists = known.map(({ matches }) => matches);
    groups.set(key, groupMatches(mergeMatches(known[0]?.ecosystem ?? '', lists)));
  }
  const described = await describe(deps, [...groups.values()].flat(), state);

  const findings: string[] = [];
  const details = new Map<string, string>();
  for (const hit of set.hits) {
    const version = versionIdsOf(hit).flatMap((id) => versions.get(id) ?? [])[0];
    for (const group of groups.get(groupsKey(hit)) ?? []) {
      const description = described.get(groupSignature(group));
      if (!version || !description) continue;
      const finding: Finding = findingOf(hit, version, {
        matches: group.matches,
        details: description.key,
      });
      findings.push(JSON.stringify(finding));
      details.set(description.key, description.json);
    }
  }
  const vulnerabilities = [...details].map(([key, json]) => `"${key}":${json}`);
  const text = `{"findings":[${findings.join()}],"vulnerabilities":{${vulnerabilities.join()}}}`;
  return packJson(text);
}

/** Components that are the same package versions have the same matches. */
function groupsKey(hit: Hit): string {
  return versionIdsOf(hit).join();
}

async function versionsOf(
  deps: ReadFindingsDeps,
  set: EvaluatedSet,
  state: FeedState,
): Promise<Map<string, PackageVersionDocument>> {
  const versions = new Map<string, PackageVersionDocument>();
  const missing = new Set<string>();
  for (const id of set.hits.flatMap(versionIdsOf)) {
    const cached = deps.versionCache.get(state.stamp, id);
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
  state: FeedState,
): Promise<Map<string, Described>> {
  const described = new Map<string, Described>();
  const missing = new Map<string, GroupMatches>();
  for (const group of groups) {
    const signature = groupSignature(group);
    const cached = deps.descriptionCache.get(state.stamp, signature);
    if (cached) described.set(signature, cached);
    else missing.set(signature, group);
  }
  for (const page of pagesOf(missing, { items: perRead })) {
    const advisories = await readGroups(
      deps,
      page.map(([, group]) => group),
    );
    for (const [signature, { group, matches }] of page) {
      // A matching advisory that moves to another group at this moment counts where it matched.
      const moved = matches.flatMap(({ id }) => advisories.byId.get(id) ?? []);
      const members = (advisories.byGroup.get(group) ?? []).concat(
        moved.filter((advisory) => advisory.group !== group),
      );
      const description = describeMatches(matches, members);
      if (!description) continue;
      described.set(signature, description);
      deps.descriptionCache.set(state.stamp, signature, description);
    }
  }
  return described;
}

async function readGroups(deps: ReadFindingsDeps, groups: readonly GroupMatches[]) {
  const names = new Set(groups.map(({ group }) => group));
  const ids = new Set(groups.flatMap(({ matches }) => matches.map(({ id }) => id)));
  const found = await deps.advisories.findByGroups([...names], [...ids]);
  const byId = new Map(found.map((advisory) => [advisory.record.id, advisory]));
  const byGroup = new Map<string, StoredAdvisory[]>();
  for (const advisory of found) {
    const members = byGroup.get(advisory.group);
    if (members) members.push(advisory);
    else byGroup.set(advisory.group, [advisory]);
  }
  return { byId, byGroup };
}
