import type { Severity } from '@bomtrail/messages';
import type { ClientSession, Db } from 'mongodb';
import type {
  ServiceStateDocument,
  TrackedVulnerabilityDocument,
} from '../../tracking/store/documents';
import { byDetection } from '../../tracking/store/list-indexes';
import type { FilteredQuery } from './list-scopes';
import { aggregateInTime } from './in-time';
import { severitiesOf } from './list-filter';
import { whereOf } from './list-where';

/** Times of detection of one severity, which are one range of the index. */
interface TimeRange {
  severity: Severity;
  detected_at: { $gte?: Date; $lt?: Date };
}

/**
 * Counts what a filter by the time of detection alone selects of everything, by severity. The index by detection
 * has it: as one range for each severity, of which MongoDB counts the entries without looking at them, if all
 * projects have the same service levels.
 */
export function createTimedCounts(
  db: Db,
): (query: FilteredQuery, session: ClientSession) => Promise<Map<Severity, number>> {
  const vulnerabilities = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');
  const states = db.collection<ServiceStateDocument>('service_states');

  /** Whether these are all projects that have a service. */
  async function areAll(projectIds: readonly string[], session: ClientSession): Promise<boolean> {
    const named = new Set(projectIds);
    // `distinct` of a sharded collection cannot read from a snapshot.
    const group = { $group: { _id: '$project_id' } };
    const found = await aggregateInTime<{ _id: string }>(states, [group], { session });
    return found.every(({ _id }) => named.has(_id));
  }

  /** Null: what is selected is not one range for each severity. */
  async function rangesOf(
    { filter, selection: { hidden } }: FilteredQuery,
    session: ClientSession,
  ): Promise<TimeRange[] | null> {
    if (hidden.projects.length > 0 || hidden.services.length > 0) return null;
    const { detected_since, overdue } = filter;
    const since = detected_since === undefined ? {} : { $gte: new Date(detected_since) };
    if (!overdue) return severitiesOf(filter).map((one) => ({ severity: one, detected_at: since }));
    const [levels, ...others] = overdue.limits;
    if (!levels || others.length > 0 || !(await areAll(levels.project_ids, session))) return null;
    return severitiesOf(filter).flatMap((severity) => {
      const before = levels.detected_before[severity];
      if (before === undefined) return [];
      return [{ severity, detected_at: { ...since, $lt: new Date(before) } }];
    });
  }

  async function countRanges(
    { filter }: FilteredQuery,
    ranges: readonly TimeRange[],
    session: ClientSession,
  ): Promise<Map<Severity, number>> {
    const { statuses, overdue } = filter;
    const counts = new Map<Severity, number>();
    const counted = overdue ? statuses.filter((status) => status === 'open') : statuses;
    for (const status of counted)
      for (const { severity, detected_at } of ranges) {
        const [found] = await aggregateInTime<{ count: number }>(
          vulnerabilities,
          [{ $match: { status, severity, detected_at } }, { $count: 'count' }],
          { session, hint: byDetection },
        );
        counts.set(severity, (counts.get(severity) ?? 0) + (found?.count ?? 0));
      }
    return counts;
  }

  async function countEntries(
    { filter, selection }: FilteredQuery,
    session: ClientSession,
  ): Promise<Map<Severity, number>> {
    const where = { ...whereOf(filter, selection), severity: { $in: severitiesOf(filter) } };
    const group = { $group: { _id: '$severity', count: { $sum: 1 } } };
    const found = await aggregateInTime<{ _id: Severity; count: number }>(
      vulnerabilities,
      [{ $match: where }, group],
      { session, hint: byDetection },
    );
    return new Map(found.map(({ _id, count }) => [_id, count]));
  }

  return async (query, session) => {
    const ranges = await rangesOf(query, session);
    return ranges ? countRanges(query, ranges, session) : countEntries(query, session);
  };
}
