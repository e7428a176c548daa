import { severities, type Severity } from '@bomtrail/messages';
import type { ClientSession, Db, Filter } from 'mongodb';
import type { TrackedVulnerability } from '../domain/types';
import type { ServiceStateDocument, TrackedVulnerabilityDocument } from './documents';
import { openByService } from './list-indexes';

/** Open vulnerabilities by severity; a missing severity has none. */
export type OpenCounts = Partial<Record<Severity, number>>;

/** One share of the total over all service states. */
export interface OpenTotalDocument extends OpenCounts {
  _id: number;
}

/**
 * The total is split into shares. Each write adds its difference to a random share, so that concurrent
 * writers rarely conflict; reading the total takes at most this many documents.
 */
const shares = 256;

export type OpenCountStore = ReturnType<typeof createOpenCounts>;

/**
 * Counts of open vulnerabilities: one per service state, and their total. Both change in the same transaction
 * as the vulnerabilities, by the difference.
 */
export function createOpenCounts(db: Db) {
  const states = db.collection<ServiceStateDocument>('service_states');
  const vulnerabilities = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');
  const totals = db.collection<OpenTotalDocument>('open_totals');

  /**
   * Adds to the total. Call it as early in a transaction as possible: writers of the same share conflict and
   * retry, and a late write conflicts with every writer since the transaction began. A transaction over
   * thousands of vulnerabilities would never succeed beside many small ones.
   */
  async function add(change: OpenCounts, session: ClientSession): Promise<void> {
    if (isNothing(change)) return;
    const share = Math.floor(Math.random() * shares);
    await totals.updateOne({ _id: share }, { $inc: change }, { session, upsert: true });
  }

  async function sumOver(
    where: Filter<ServiceStateDocument>,
    session: ClientSession | undefined,
  ): Promise<OpenCounts> {
    const sums = Object.fromEntries(
      severities.map((severity) => [severity, { $sum: `$open_counts.${severity}` }]),
    );
    const [sum] = await states
      .aggregate<OpenCounts & { _id: null }>(
        [
          { $match: { ...where, open_counts: { $exists: true } } },
          { $group: { _id: null, ...sums } },
          { $unset: '_id' },
        ],
        { session },
      )
      .toArray();
    return sum ?? {};
  }

  /** Counts the stored vulnerabilities of some services. */
  async function countVulnerabilities(
    serviceIds: string[],
    session: ClientSession,
  ): Promise<Map<string, OpenCounts>> {
    const counted = new Map<string, OpenCounts>(serviceIds.map((id) => [id, {}]));
    const groups = vulnerabilities.aggregate<{
      _id: { service: string; severity: Severity };
      count: number;
    }>(
      [
        { $match: { open: true, service_id: { $in: serviceIds } } },
        {
          $group: { _id: { service: '$service_id', severity: '$severity' }, count: { $sum: 1 } },
        },
      ],
      { session, hint: openByService },
    );
    for await (const { _id, count } of groups) {
      const counts = counted.get(_id.service);
      if (counts) counts[_id.severity] = count;
    }
    return counted;
  }

  return {
    add,
    sumOver,

    /** Recounts the vulnerabilities of services. Returns the difference that must be added to the total. */
    async recount(serviceIds: string[], session: ClientSession): Promise<OpenCounts> {
      const found = await states
        .find({ _id: { $in: serviceIds }, deletion_state: { $exists: false } }, { session })
        .toArray();
      if (found.length === 0) return {};
      const counted = await countVulnerabilities(
        found.map(({ _id }) => _id),
        session,
      );
      const change: OpenCounts = {};
      const writes = found.map(({ _id, version, open_counts }) => {
        const now = counted.get(_id) ?? {};
        addTo(change, now, 1);
        addTo(change, open_counts ?? {}, -1);
        const counts = { open_counts: now, open_version: version };
        return { updateOne: { filter: { _id }, update: { $set: counts } } };
      });
      await states.bulkWrite(writes, { session, ordered: false });
      return change;
    },

    /** Subtracts deleted services from the total. Idempotent. */
    async uncount(where: Filter<ServiceStateDocument>, session: ClientSession): Promise<void> {
      const counted = await states
        .find({ ...where, open_counts: { $exists: true } }, { session })
        .toArray();
      if (counted.length === 0) return;
      const change: OpenCounts = {};
      for (const { open_counts } of counted) addTo(change, open_counts ?? {}, -1);
      await states.updateMany(
        { _id: { $in: counted.map(({ _id }) => _id) } },
        { $unset: { open_counts: 1, open_version: 1 } },
        { session },
      );
      await add(change, session);
    },

    /** The total over all counted service states. */
    async all(session?: ClientSession): Promise<OpenCounts> {
      const sums = Object.fromEntries(
        severities.map((severity) => [severity, { $sum: `$${severity}` }]),
      );
      const [sum] = await totals
        .aggregate<OpenCounts>([{ $group: { _id: null, ...sums } }, { $unset: '_id' }], {
          session,
        })
        .toArray();
      return sum ?? {};
    },
  };
}

/** The change of the open counts by a change of vulnerabilities. */
export function openChange(
  before: readonly TrackedVulnerability[],
  changed: readonly TrackedVulnerability[],
): OpenCounts {
  const known = new Map(before.map((vulnerability) => [vulnerability.id, vulnerability]));
  const change: OpenCounts = {};
  for (const vulnerability of changed) {
    addTo(change, openOf(known.get(vulnerability.id)), -1);
    addTo(change, openOf(vulnerability), 1);
  }
  return change;
}

/** Adds `counts`, multiplied by `times`, to `sum`. */
export function addTo(sum: OpenCounts, counts: OpenCounts, times: number): void {
  for (const severity of severities) {
    const count = counts[severity];
    if (count) sum[severity] = (sum[severity] ?? 0) + times * count;
  }
}

/** Whether all counts are zero. */
export function isNothing(counts: OpenCounts): boolean {
  return severities.every((severity) => !counts[severity]);
}

/** Whether the open counts of a service state are up to date. */
export function isCounted(state: ServiceStateDocument | null): boolean {
  return state === null || state.version === 0 || state.open_version === state.version;
}

function openOf(vulnerability: TrackedVulnerability | undefined): OpenCounts {
  return vulnerability?.status === 'open' && vulnerability.snapshot
    ? { [vulnerability.snapshot.severity]: 1 }
    : {};
}
