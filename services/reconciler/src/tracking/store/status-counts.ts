import type { Aggregation } from '@bomtrail/mongo';
import type { ClientSession, Db, Filter } from 'mongodb';
import type { TrackedVulnerability } from '../domain/types';
import type { ServiceStateDocument } from './documents';
import {
  addTo,
  countedStatuses,
  countKey,
  keysOf,
  isNothing,
  type CountedStatus,
  type StatusCounts,
} from './count-keys';

/** One share of the total over all service states. */
export interface CountTotalDocument extends StatusCounts {
  _id: number;
}

/**
 * The total is split into shares. Each write adds its difference to a random share, so that concurrent
 * writers rarely conflict; reading the total takes at most this many documents.
 */
const shares = 256;

/**
 * Counts of vulnerabilities by status and severity: one per service state, and their total. Both change in the same transaction
 * as the vulnerabilities, by the difference.
 */
export function createStatusCounts(db: Db) {
  const states = db.collection<ServiceStateDocument>('service_states');
  const totals = db.collection<CountTotalDocument>('count_totals');

  /**
   * Adds to the total. Call it as early in a transaction as possible: writers of the same share conflict and
   * retry, and a late write conflicts with every writer since the transaction began. A transaction over
   * thousands of vulnerabilities would never succeed beside many small ones.
   */
  async function add(change: StatusCounts, session: ClientSession): Promise<void> {
    if (isNothing(change)) return;
    const share = Math.floor(Math.random() * shares);
    await totals.updateOne({ _id: share }, { $inc: change }, { session, upsert: true });
  }

  async function aggregated(
    { collection, pipeline }: Aggregation,
    session: ClientSession | undefined,
  ): Promise<StatusCounts> {
    const found = db.collection(collection).aggregate<StatusCounts>([...pipeline], { session });
    return (await found.toArray())[0] ?? {};
  }

  /** The counts of the selected service states, of these statuses. */
  const sumOver = (
    where: Filter<ServiceStateDocument>,
    session: ClientSession | undefined,
    statuses?: readonly CountedStatus[],
  ): Promise<StatusCounts> => aggregated(sumAggregation(where, statuses), session);

  /** The total over all counted service states. */
  const all = (session?: ClientSession): Promise<StatusCounts> =>
    aggregated(totalAggregation(), session);

  return {
    add,

    sumOver,
    all,

    /** Sets the total to the sum over all counted service states; returns whether it was wrong. */
    async correctTotal(session: ClientSession): Promise<boolean> {
      const difference = await sumOver({}, session);
      addTo(difference, await all(session), -1);
      await add(difference, session);
      return !isNothing(difference);
    },

    /** Subtracts deleted services from the total. Idempotent. */
    async uncount(where: Filter<ServiceStateDocument>, session: ClientSession): Promise<void> {
      const counted = await states
        .find({ ...where, counts: { $exists: true } }, { session })
        .toArray();
      if (counted.length === 0) return;
      const change: StatusCounts = {};
      for (const { counts } of counted) addTo(change, counts ?? {}, -1);
      await states.updateMany(
        { _id: { $in: counted.map(({ _id }) => _id) } },
        { $unset: { counts: 1 } },
        { session },
      );
      await add(change, session);
    },
  };
}

/** Adds up the counts of the selected service states, of these statuses; gives one document. */
export function sumAggregation(
  where: Filter<ServiceStateDocument>,
  statuses: readonly CountedStatus[] = countedStatuses,
): Aggregation {
  return {
    collection: 'service_states',
    pipeline: [
      { $match: { ...where, counts: { $exists: true } } },
      { $group: { _id: null, ...sumsOf(statuses, 'counts.') } },
      { $unset: '_id' },
    ],
  };
}

/** Adds up the shares of the total, of these statuses; gives one document. */
export function totalAggregation(
  statuses: readonly CountedStatus[] = countedStatuses,
): Aggregation {
  return {
    collection: 'count_totals',
    pipeline: [{ $group: { _id: null, ...sumsOf(statuses, '') } }, { $unset: '_id' }],
  };
}

/** Fields of a group stage; each costs MongoDB some 30 µs. */
function sumsOf(statuses: readonly CountedStatus[], path: '' | 'counts.') {
  return Object.fromEntries(keysOf(statuses).map((key) => [key, { $sum: `$${path}${key}` }]));
}

/** The change of the counts by a change of vulnerabilities. */
export function countChange(
  before: readonly TrackedVulnerability[],
  changed: readonly TrackedVulnerability[],
): StatusCounts {
  const known = new Map(before.map((vulnerability) => [vulnerability.id, vulnerability]));
  const change: StatusCounts = {};
  for (const vulnerability of changed) {
    addTo(change, countsOf(known.get(vulnerability.id)), -1);
    addTo(change, countsOf(vulnerability), 1);
  }
  return change;
}

function countsOf(vulnerability: TrackedVulnerability | undefined): StatusCounts {
  const { status, snapshot } = vulnerability ?? {};
  const counted = countedStatuses.find((one) => one === status);
  return counted && snapshot ? { [countKey(counted, snapshot.severity)]: 1 } : {};
}
