import { createHash } from 'node:crypto';
import { AppError, type AdvisoryData, type Coverage } from '@bomtrail/messages';
import type { StampedCache } from '../cache/stamped-cache';
import type { SetCounts } from '../domain/component-set';
import { advisoryDataOf, coverageOf } from '../domain/coverage';
import type { ComponentSetStore, EvaluatedSet } from '../store/component-set-store';
import type { FeedState } from '../store/feed-state-store';
import { describeComponents, type At, type DescribeComponentsDeps } from './describe-components';
import type { DataStatusDeps } from './read-feeds';
import { Report } from './findings-report';

export interface ReadFindingsDeps extends DataStatusDeps, DescribeComponentsDeps {
  sets: ComponentSetStore;
  reportCache: StampedCache<CachedReport>;
  /** Reports by revision and hits: the component sets of a fleet differ where nothing is found. */
  bodyCache: StampedCache<Uint8Array>;
  setCache: StampedCache<EvaluatedSet>;
}

export interface FindingsResult {
  /** The findings are right for this revision. */
  revision: number;
  coverage: Coverage;
  advisory_data: AdvisoryData;
  /** `FindingsReport`, as `packJson` packs it. */
  report: Uint8Array;
}

/** What a cache may hold of an answer: the coverage moves with the age of the feeds. */
export type CachedReport = Omit<FindingsResult, 'coverage' | 'advisory_data'> & {
  counts: SetCounts;
};

/** Characters of a report: what has more is read in pages. */
const maxText = 8 * 1024 * 1024;
/** Feeds move seldom; a set whose report takes longer than the pause between two moves is asked for again. */
export const maxRounds = 5;

/**
 * The findings of a component set at one revision. Assembled again when the advisories moved in
 * between.
 *
 * @throws AppError `sbom_not_found` when the set was not evaluated yet, `service_unavailable` where it has more
 *   findings than one answer holds
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
    return toResult(deps, made, state);
  }
  throw new AppError('service_unavailable', 'The advisories keep changing: repeat the request.');
}

/** The revision at which a set is read. */
export function readAt(set: EvaluatedSet, { stamp, applied_revision }: FeedState): At {
  return { stamp, revision: Math.max(set.revision, applied_revision) };
}

/** What stands on older rules is not right for the revision with which those of today came into force. */
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
      throw new AppError('service_unavailable', 'There are too many findings for one answer.');
  }
  return report.pack();
}
