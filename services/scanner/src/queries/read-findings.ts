import { createHash } from 'node:crypto';
import { AppError, type AdvisoryData, type Coverage } from '@bomtrail/messages';
import type { StampedCache } from '../cache/stamped-cache';
import type { SetCounts } from '../matching/domain/component-set';
import { advisoryDataOf, coverageOf } from './domain/coverage';
import type { ComponentSetStore } from '../matching/store/component-set-store';
import type { EvaluatedSet } from '../matching/store/set-evaluations';
import type { FeedState } from '../feeds/domain/feed-state';
import { describeComponents, type At, type DescribeComponentsDeps } from './describe-components';
import type { DataStatusDeps } from './read-feeds';
import { Report } from './findings-report';

export interface ReadFindingsDeps extends DataStatusDeps, DescribeComponentsDeps {
  sets: ComponentSetStore;
  reportCache: StampedCache<CachedReport>;
  /**
   * Reports by revision and matched components; many sets differ only in components without
   * findings.
   */
  bodyCache: StampedCache<Uint8Array>;
  setCache: StampedCache<EvaluatedSet>;
}

export interface FindingsResult {
  /** The revision that the findings are valid for. */
  revision: number;
  coverage: Coverage;
  advisory_data: AdvisoryData;
  /** `FindingsReport`, as `packJson` packs it. */
  report: Uint8Array;
}

/** The cached fields of a result; the coverage changes with time. */
export type CachedReport = Omit<FindingsResult, 'coverage' | 'advisory_data'> & {
  counts: SetCounts;
};

/** Characters of a report; larger ones are read in pages. */
const maxText = 8 * 1024 * 1024;
/** Attempts when the advisories change while a report is built. */
export const maxRounds = 5;

/**
 * Returns the findings of a component set at one revision; repeated when the advisories change
 * meanwhile.
 *
 * @throws AppError `sbom_not_found` when the set was not evaluated yet, `service_unavailable` when
 *   it has too many findings or the advisories keep changing
 */
export async function readFindings(
  deps: ReadFindingsDeps,
  digest: string,
): Promise<FindingsResult> {
  for (let round = 0; round < maxRounds; round += 1) {
    const state = await deps.feed.read();
    const cached = deps.reportCache.get(state.stamp, digest);
    if (cached) return toResult(deps, cached, state);
    const savedSet = deps.setCache.get(state.stamp, digest);
    const set = savedSet ?? (await deps.sets.read(digest));
    if (!set) throw new AppError('sbom_not_found', 'This component set was not evaluated yet.');
    const at = readAt(set, state);
    const key = bodyKey(set, at);
    const known = deps.bodyCache.get(at.stamp, key);
    const report = known ?? (await assemble(deps, set, at));
    // Cached values are valid for the stamp.
    const isRead = !savedSet || !known;
    if (isRead && (await deps.feed.read()).stamp !== state.stamp) continue;
    deps.bodyCache.set(at.stamp, key, report);
    const made = {
      revision: knownRevision(set, at.revision, state),
      counts: set.counts,
      report,
    };
    // A set of older rules will be evaluated again without a new stamp.
    if (set.isCurrent) deps.reportCache.set(state.stamp, digest, made);
    return toResult(deps, made, state);
  }
  throw new AppError('service_unavailable', 'The advisories keep changing: repeat the request.');
}

/** The revision at which a set is read. */
export function readAt(set: EvaluatedSet, { stamp, applied_revision }: FeedState): At {
  return { stamp, revision: Math.max(set.revision, applied_revision) };
}

/**
 * The revision that a result is valid for; results of older rules precede the revision of the
 * current rules.
 */
export function knownRevision(set: EvaluatedSet, revision: number, state: FeedState): number {
  return set.isCurrent ? revision : Math.min(revision, (state.rules_revision ?? 1) - 1);
}

function toResult(
  deps: DataStatusDeps,
  { counts, ...report }: CachedReport,
  state: FeedState,
): FindingsResult {
  const dataStatus = deps.dataStatusIn(state);
  return {
    ...report,
    coverage: coverageOf(counts, dataStatus),
    advisory_data: advisoryDataOf(counts, dataStatus, state.data),
  };
}

function bodyKey({ matched }: EvaluatedSet, { revision }: At): string {
  return `${revision} ${createHash('sha256').update(JSON.stringify(matched)).digest('base64')}`;
}

async function assemble(deps: ReadFindingsDeps, set: EvaluatedSet, at: At): Promise<Uint8Array> {
  const report = new Report();
  for await (const { found } of describeComponents(deps, set.matched, at)) {
    for (const one of found) report.add(one);
    if (report.characters > maxText)
      throw new AppError('service_unavailable', 'There are too many findings for one response.');
  }
  return report.pack();
}
