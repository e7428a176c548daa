import { severities, type Severity } from '@bomtrail/messages';
import type { ClientSession, Db, Filter } from 'mongodb';
import type { Row } from '../domain/types';
import type { LedgerDocument, RowDocument } from './documents';
import { listedByLine } from './list-indexes';

/** Listed rows by severity; a severity that is not there has none. */
export type ListedCounts = Partial<Record<Severity, number>>;

/** One of the shares whose sum is the listed rows of all ledgers that are counted. */
export interface ListedTotalDocument extends ListedCounts {
  _id: number;
}

/**
 * A write adds its difference to one share by chance, so that writers of different lines meet in one
 * seldom, and the sum over all lines is read from that many documents at most.
 */
const shares = 256;

export type ListedCountStore = ReturnType<typeof createListedCounts>;

/**
 * The numbers of listed rows: with each ledger those of its line, and their sum over all ledgers that
 * have them. Whoever changes one changes the other in the same transaction, by the difference.
 */
export function createListedCounts(db: Db) {
  const ledgers = db.collection<LedgerDocument>('ledgers');
  const rows = db.collection<RowDocument>('tracked_vulnerabilities');
  const totals = db.collection<ListedTotalDocument>('listed_totals');

  /**
   * Moves the sum over all ledgers. As early in a transaction as the difference is known: whoever meets
   * the same share repeats its transaction, and a late write meets everyone who wrote there since the
   * transaction began, which for thousands of rows beside many small changes would never end.
   */
  async function add(change: ListedCounts, session: ClientSession): Promise<void> {
    if (isNothing(change)) return;
    const share = Math.floor(Math.random() * shares);
    await totals.updateOne({ _id: share }, { $inc: change }, { session, upsert: true });
  }

  async function sumOver(
    where: Filter<LedgerDocument>,
    session: ClientSession | undefined,
  ): Promise<ListedCounts> {
    const sums = Object.fromEntries(
      severities.map((severity) => [severity, { $sum: `$listed.${severity}` }]),
    );
    const [sum] = await ledgers
      .aggregate<ListedCounts & { _id: null }>(
        [
          { $match: { ...where, listed: { $exists: true } } },
          { $group: { _id: null, ...sums } },
          { $unset: '_id' },
        ],
        { session },
      )
      .toArray();
    return sum ?? {};
  }

  /** The listed rows of lines as they are stored. */
  async function countRows(
    serviceIds: string[],
    session: ClientSession,
  ): Promise<Map<string, ListedCounts>> {
    const counted = new Map<string, ListedCounts>(serviceIds.map((id) => [id, {}]));
    const groups = rows.aggregate<{ _id: { line: string; severity: Severity }; count: number }>(
      [
        { $match: { listed: true, service_id: { $in: serviceIds } } },
        {
          $group: { _id: { line: '$service_id', severity: '$severity' }, count: { $sum: 1 } },
        },
      ],
      { session, hint: listedByLine },
    );
    for await (const { _id, count } of groups) {
      const counts = counted.get(_id.line);
      if (counts) counts[_id.severity] = count;
    }
    return counted;
  }

  return {
    add,
    sumOver,

    /** Counts the stored rows of lines; gives by how much the sum over all ledgers is off until it is added. */
    async recount(serviceIds: string[], session: ClientSession): Promise<ListedCounts> {
      const found = await ledgers
        .find({ _id: { $in: serviceIds }, forgotten: { $exists: false } }, { session })
        .toArray();
      if (found.length === 0) return {};
      const counted = await countRows(
        found.map(({ _id }) => _id),
        session,
      );
      const change: ListedCounts = {};
      const writes = found.map(({ _id, version, listed }) => {
        const now = counted.get(_id) ?? {};
        addTo(change, now, 1);
        addTo(change, listed ?? {}, -1);
        const counts = { listed: now, listed_version: version };
        return { updateOne: { filter: { _id }, update: { $set: counts } } };
      });
      await ledgers.bulkWrite(writes, { session, ordered: false });
      return change;
    },

    /** Takes deleted lines out of the sum over all ledgers. Repeating it changes nothing. */
    async uncount(where: Filter<LedgerDocument>, session: ClientSession): Promise<void> {
      const counted = await ledgers
        .find({ ...where, listed: { $exists: true } }, { session })
        .toArray();
      if (counted.length === 0) return;
      const change: ListedCounts = {};
      for (const { listed } of counted) addTo(change, listed ?? {}, -1);
      await ledgers.updateMany(
        { _id: { $in: counted.map(({ _id }) => _id) } },
        { $unset: { listed: 1, listed_version: 1 } },
        { session },
      );
      await add(change, session);
    },

    /** The sum over all ledgers that are counted, from the shares. */
    async all(session?: ClientSession): Promise<ListedCounts> {
      const sums = Object.fromEntries(
        severities.map((severity) => [severity, { $sum: `$${severity}` }]),
      );
      const [sum] = await totals
        .aggregate<ListedCounts>([{ $group: { _id: null, ...sums } }, { $unset: '_id' }], {
          session,
        })
        .toArray();
      return sum ?? {};
    },
  };
}

/** What a change of rows does to the numbers of listed rows. */
export function listedChange(before: readonly Row[], changed: readonly Row[]): ListedCounts {
  const known = new Map(before.map((row) => [row.id, row]));
  const change: ListedCounts = {};
  for (const row of changed) {
    addTo(change, listedOf(known.get(row.id)), -1);
    addTo(change, listedOf(row), 1);
  }
  return change;
}

/** Adds numbers to others, so many times. */
export function addTo(sum: ListedCounts, counts: ListedCounts, times: number): void {
  for (const severity of severities) {
    const count = counts[severity];
    if (count) sum[severity] = (sum[severity] ?? 0) + times * count;
  }
}

/** Do these numbers change nothing? */
export function isNothing(counts: ListedCounts): boolean {
  return severities.every((severity) => !counts[severity]);
}

/** Are the numbers of this ledger those of its rows? An older release writes rows without them. */
export function isCounted(ledger: LedgerDocument | null): boolean {
  return ledger === null || ledger.version === 0 || ledger.listed_version === ledger.version;
}

function listedOf(row: Row | undefined): ListedCounts {
  return row?.status === 'open' && row.shown ? { [row.shown.severity]: 1 } : {};
}
