import type { AdvisoryData, Coverage, UndeterminedComponent } from '@bomtrail/messages';
import { pageWindow } from '@bomtrail/messages';
import type { PackageVersion } from '@bomtrail/osv';
import { packJson } from '@bomtrail/messaging';
import type { StampedCache } from '../cache/stamped-cache';
import { cleanAssessment, type AssessmentSummary } from '../matching/domain/assess-version';
import type { SetCounts } from '../matching/domain/component-set';
import { advisoryDataOf, coverageOf, type DataStatusLookup } from './domain/coverage';
import { undecidedOf } from '../matching/domain/own-reason';
import { undeterminedReason } from './domain/undetermined-reason';
import type { ComponentSetStore } from '../matching/store/component-set-store';
import type { FeedState } from '../feeds/domain/feed-state';
import { assessVersions, type AssessVersionsDeps } from '../matching/assess-versions';
import {
  withComponents,
  type ResolveComponentsDeps,
  type Walk,
} from '../matching/resolve-components';
import type { DataStatusDeps } from './read-feeds';

export interface ListUndeterminedDeps
  extends DataStatusDeps, AssessVersionsDeps, ResolveComponentsDeps {
  sets: ComponentSetStore;
  /** Whole lists; their pages are usually requested in sequence. */
  undeterminedCache: StampedCache<UndeterminedComponent[]>;
}

/**
 * Returns a page of the undetermined components of a set, with the coverage of the whole set.
 * Empty, with null, when the set was not evaluated yet.
 *
 * @throws AppError `sbom_not_found` when ingest does not have the set
 */
export async function listUndetermined(
  deps: ListUndeterminedDeps,
  query: { digest: string; reason?: string | undefined; page: number; per_page: number },
): Promise<{
  body: { total: number; coverage: Coverage | null; advisory_data: AdvisoryData };
  attachment: Uint8Array;
}> {
  const [state, counts] = await Promise.all([deps.feed.read(), deps.sets.readCounts(query.digest)]);
  const dataStatus = deps.dataStatusIn(state);
  const coverage = counts && coverageOf(counts, dataStatus);
  const advisory_data = counts ? advisoryDataOf(counts, dataStatus, state.data) : state.data;
  const isAnyUndetermined = coverage !== null && coverage.evaluated < coverage.components;
  const all =
    counts && isAnyUndetermined
      ? await wholeList(deps, query.digest, { state, counts, dataStatus })
      : [];
  const selected = query.reason ? all.filter(({ reason }) => reason === query.reason) : all;
  const { skip, limit } = pageWindow(query);
  return {
    body: { total: selected.length, coverage, advisory_data },
    attachment: await packJson(JSON.stringify(selected.slice(skip, skip + limit))),
  };
}

interface At {
  state: FeedState;
  counts: SetCounts;
  dataStatus: DataStatusLookup;
}

async function wholeList(
  deps: ListUndeterminedDeps,
  digest: string,
  at: At,
): Promise<UndeterminedComponent[]> {
  // The data status changes with time, without a new stamp.
  const statuses = Object.keys(at.counts.evaluated).map((one) => `${one} ${at.dataStatus(one)}`);
  const key = [digest, ...statuses.sort()].join('\n');
  const cached = deps.undeterminedCache.get(at.state.stamp, key);
  if (cached) return cached;
  const list = await withComponents(deps, digest, async (walk) => {
    const { assessments, namesSources } = await assessmentsFor(deps, walk, at);
    const undetermined: UndeterminedComponent[] = [];
    await walk(({ name, version, purl }, resolution) => {
      const assessmentOf = (id: string): AssessmentSummary =>
        assessments.get(id) ?? cleanAssessment;
      const by = { dataStatus: at.dataStatus, namesSources, assessmentOf };
      const reason = undeterminedReason(resolution, by);
      if (reason === null) return;
      const advisory_ids =
        'reason' in resolution ? [] : [...new Set(undecidedOf(resolution, by))].sort();
      undetermined.push({ name, version, purl, reason, advisory_ids });
    });
    return undetermined;
  });
  deps.undeterminedCache.set(at.state.stamp, key, list);
  return list;
}

/** Assessments are read only if the counts cannot be explained by unresolved components. */
async function assessmentsFor(
  deps: ListUndeterminedDeps,
  walk: Walk,
  { state, counts }: At,
): Promise<{ assessments: ReadonlyMap<string, AssessmentSummary>; namesSources: boolean }> {
  const versions = new Map<string, PackageVersion>();
  const unresolved: Record<string, number> = {};
  let namesSources = false;
  await walk((_component, resolution) => {
    if ('reason' in resolution)
      unresolved[resolution.reason] = (unresolved[resolution.reason] ?? 0) + 1;
    else {
      resolution.versions.forEach((one, index) =>
        versions.set(resolution.versionIds[index] ?? '', one),
      );
      namesSources ||= resolution.source === 'named';
    }
  });
  const isExplained = Object.entries(counts.undetermined).every(
    ([reason, count]) => unresolved[reason] === count,
  );
  const { assessments } = isExplained
    ? { assessments: new Map<string, AssessmentSummary>() }
    : await assessVersions(deps, versions, state);
  return { assessments, namesSources };
}
