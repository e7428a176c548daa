import type { AdvisoryData, Coverage, UndeterminedComponent } from '@bomtrail/messages';
import { pageWindow } from '@bomtrail/messages';
import type { PackageVersion } from '@bomtrail/osv';
import { packJson } from '@bomtrail/service-kit';
import type { StampedCache } from '../cache/stamped-cache';
import { cleanAssessment, type AssessmentSummary } from '../domain/assess-version';
import type { SetCounts } from '../domain/component-set';
import { advisoryDataOf, coverageOf, type Standings } from '../domain/coverage';
import { undecidedOf } from '../domain/own-reason';
import { undeterminedReason } from '../domain/undetermined-reason';
import type { ComponentSetStore } from '../store/component-set-store';
import type { FeedState } from '../store/feed-state-store';
import { assessVersions, type AssessVersionsDeps } from './assess-versions';
import { withComponents, type PlaceComponentsDeps, type Walk } from './place-components';
import type { StandingsDeps } from './read-feeds';

export interface ListUndeterminedDeps
  extends StandingsDeps, AssessVersionsDeps, PlaceComponentsDeps {
  sets: ComponentSetStore;
  /** Whole lists: their pages are asked for one after the other. */
  undeterminedCache: StampedCache<UndeterminedComponent[]>;
}

/**
 * A page of the components of a set that could not be judged, in the order of the set, with the
 * counts of the whole. Empty, with null, when the set was not evaluated yet.
 *
 * @throws AppError `sbom_not_found` when ingest does not hold the set any more
 */
export async function listUndetermined(
  deps: ListUndeterminedDeps,
  asked: { digest: string; reason?: string | undefined; page: number; per_page: number },
): Promise<{
  body: { total: number; coverage: Coverage | null; advisory_data: AdvisoryData };
  attachment: Uint8Array;
}> {
  const [state, counts] = await Promise.all([deps.feed.read(), deps.sets.readCounts(asked.digest)]);
  const standings = deps.standingsIn(state);
  const coverage = counts && coverageOf(counts, standings);
  const advisory_data = counts ? advisoryDataOf(counts, standings, state.data) : state.data;
  const isAnyUndetermined = coverage !== null && coverage.evaluated < coverage.components;
  const all =
    counts && isAnyUndetermined
      ? await wholeList(deps, asked.digest, { state, counts, standings })
      : [];
  const listed = asked.reason ? all.filter(({ reason }) => reason === asked.reason) : all;
  const { skip, limit } = pageWindow(asked);
  return {
    body: { total: listed.length, coverage, advisory_data },
    attachment: await packJson(JSON.stringify(listed.slice(skip, skip + limit))),
  };
}

interface At {
  state: FeedState;
  counts: SetCounts;
  standings: Standings;
}

async function wholeList(
  deps: ListUndeterminedDeps,
  digest: string,
  at: At,
): Promise<UndeterminedComponent[]> {
  // Feeds grow stale by time alone, without a new stamp.
  const data_status = Object.keys(at.counts.evaluated).map((one) => `${one} ${at.standings(one)}`);
  const key = [digest, ...data_status.sort()].join('\n');
  const cached = deps.undeterminedCache.get(at.state.stamp, key);
  if (cached) return cached;
  const list = await withComponents(deps, digest, async (walk) => {
    const { assessments, namesSources } = await assessmentsFor(deps, walk, at);
    const undetermined: UndeterminedComponent[] = [];
    await walk(({ name, version, purl }, place) => {
      const assessmentOf = (id: string): AssessmentSummary =>
        assessments.get(id) ?? cleanAssessment;
      const by = { standings: at.standings, namesSources, assessmentOf };
      const reason = undeterminedReason(place, by);
      if (reason === null) return;
      const advisory_ids = 'reason' in place ? [] : [...new Set(undecidedOf(place, by))].sort();
      undetermined.push({ name, version, purl, reason, advisory_ids });
    });
    return undetermined;
  });
  deps.undeterminedCache.set(at.state.stamp, key, list);
  return list;
}

/** None need be read where the counts say that only places and feeds are to blame, as mostly. */
async function assessmentsFor(
  deps: ListUndeterminedDeps,
  walk: Walk,
  { state, counts }: At,
): Promise<{ assessments: ReadonlyMap<string, AssessmentSummary>; namesSources: boolean }> {
  const versions = new Map<string, PackageVersion>();
  const unplaced: Record<string, number> = {};
  let namesSources = false;
  await walk((_component, place) => {
    if ('reason' in place) unplaced[place.reason] = (unplaced[place.reason] ?? 0) + 1;
    else {
      place.versions.forEach((one, index) => versions.set(place.versionIds[index] ?? '', one));
      namesSources ||= place.source === 'named';
    }
  });
  const isExplained = Object.entries(counts.undetermined).every(
    ([reason, count]) => unplaced[reason] === count,
  );
  const { assessments } = isExplained
    ? { assessments: new Map<string, AssessmentSummary>() }
    : await assessVersions(deps, versions, state);
  return { assessments, namesSources };
}
