import {
  createTurns,
  inTransaction,
  isDuplicateKey,
  type Database,
  type IndexPlan,
} from '@bomtrail/service-kit';
import type { AnyBulkWriteOperation, ClientSession, Filter, UpdateFilter } from 'mongodb';
import type { CaughtUp } from '../domain/caught-up';
import { episodesAfter } from '../domain/episodes';
import type { LogEntry, Row } from '../domain/types';
import type { LedgerDocument, LogDocument, RowDocument } from './documents';
import { createListedCounts, isCounted, listedChange } from './listed-counts';
import { createProjectStore } from './project-store';
import { toDocument, toRow } from './row-mapping';

export const ledgerIndexes: IndexPlan = {
  sbom_log: [{ key: { line_id: 1, seq: 1 } }],
  tracked_vulnerabilities: [
    { key: { line_id: 1, package_key: 1 } },
    { key: { identity: 1, project_id: 1 } },
  ],
};

/**
 * Rows above which changes of lines are written one after the other: each row is some twenty entries of
 * indexes, and where those of several such transactions do not fit into the database's cache it rolls
 * them back again and again.
 */
const manyRows = 500;

/** A line as it stands. */
export interface StoredLine {
  /** Null: nothing was written for this line yet. */
  ledger: LedgerDocument | null;
  /** All of them, or those of the packages that were asked for. */
  rows: Row[];
}

/** What changes on a line, in one write. */
export interface LineChange {
  line_id: string;
  project_id: string;
  head: LogEntry | null;
  revision: number;
  /** The latest advisory revision that any of these rows stands on; absent: of those that stood before. */
  newest?: number | undefined;
  /** Packages whose rows stand on a later revision afterwards; absent: that is known of none. */
  caughtUp?: CaughtUp | undefined;
  /** Rows that are new or differ. */
  rows: readonly Row[];
  /** Entries that join the log, or tombstones in their place. */
  log: readonly LogDocument[];
}

export type LedgerStore = ReturnType<typeof createLedgerStore>;

/** Ledger documents, logs and rows of version lines, always changed together. */
export function createLedgerStore(database: Database) {
  const { db, client } = database;
  const ledgers = db.collection<LedgerDocument>('ledgers');
  const log = db.collection<LogDocument>('sbom_log');
  const rows = db.collection<RowDocument>('tracked_vulnerabilities');
  const projects = createProjectStore(database);
  const counted = createListedCounts(db);
  const inTurn = createTurns();

  async function write(
    before: StoredLine,
    change: LineChange,
    session: ClientSession,
  ): Promise<'saved' | 'lost'> {
    const { filter, update } = ledgerMove(before, change);
    const moved = await ledgers.updateOne(filter, update, { session });
    if (moved.matchedCount === 0) return 'lost';
    const wasCounted = isCounted(before.ledger);
    if (wasCounted) await counted.add(listedChange(before.rows, change.rows), session);
    if (change.log.length > 0) {
      const entries = change.log.map((entry) => ({
        replaceOne: {
          filter: { _id: entry._id },
          replacement: withoutId(entry),
          upsert: true,
        },
      }));
      await log.bulkWrite(entries, { session, ordered: false });
    }
    const writes = rowWrites(before, change);
    if (writes.length > 0) await rows.bulkWrite(writes, { session, ordered: false });
    if (!wasCounted) await counted.add(await counted.recount([change.line_id], session), session);
    return 'saved';
  }

  return {
    /**
     * The rows are read after the ledger: what changes in between fails the ledger's condition.
     * `forgotten`: the line was deleted.
     *
     * @param packages the only ones whose rows are read; all when absent
     */
    async load(lineId: string, packages?: readonly string[]): Promise<StoredLine | 'forgotten'> {
      const ledger = await ledgers.findOne({ _id: lineId });
      if (ledger?.forgotten) return 'forgotten';
      if (!hasBegun(ledger)) return { ledger: null, rows: [] };
      const scope = packages ? { package_key: { $in: [...packages] } } : {};
      const documents = await rows.find({ line_id: lineId, ...scope }).toArray();
      return { ledger, rows: documents.map(toRow) };
    },

    ledgersOf: (lineIds: string[]) => ledgers.find({ _id: { $in: lineIds } }).toArray(),

    entry: (sbomId: string) => log.findOne({ _id: sbomId }),

    /** The entries that exist, in order. */
    async entries(lineId: string): Promise<LogEntry[]> {
      const documents = await log
        .find({ line_id: lineId, removed: { $exists: false } })
        .sort({ seq: 1 })
        .toArray();
      return documents.flatMap(logEntry);
    },

    /**
     * The empty ledger of a line, before its first change is saved. It takes a short transaction of
     * its own, because all lines of a project wait for each other in it. `forgotten`: the project was
     * deleted.
     */
    async begin(line: { line_id: string; project_id: string }): Promise<'begun' | 'forgotten'> {
      const { line_id, project_id } = line;
      const empty = { _id: line_id, project_id, version: 0, head: null, revision: 0 };
      try {
        return await projects.addTo(project_id, async (session) => {
          await ledgers.insertOne(empty, { session });
          return 'begun' as const;
        });
      } catch (error) {
        if (isDuplicateKey(error)) return 'begun';
        throw error;
      }
    },

    /** Writes a change on condition that the line is still as `before`. `lost`: somebody else wrote first. */
    async save(before: StoredLine, change: LineChange): Promise<'saved' | 'lost'> {
      try {
        const saved = () => inTransaction(client, (session) => write(before, change, session));
        return change.rows.length > manyRows ? await inTurn('many rows', saved) : await saved();
      } catch (error) {
        if (isDuplicateKey(error)) return 'lost';
        throw error;
      }
    },

    /**
     * The lines of a project whose newest SBOM holds one of these aliases, and in which packages: the
     * rows that an acceptance changes.
     */
    async presentWith(
      projectId: string,
      identity: readonly string[],
    ): Promise<{ line_id: string; packages: string[] }[]> {
      const found = rows.aggregate<{ _id: string; packages: string[] }>([
        {
          $match: {
            project_id: projectId,
            identity: { $in: identity },
            status: { $in: ['open', 'accepted'] },
          },
        },
        { $group: { _id: '$line_id', packages: { $addToSet: '$package_key' } } },
      ]);
      return (await found.toArray()).map(({ _id, packages }) => ({ line_id: _id, packages }));
    },

    /** A row by its id; one that was merged gives the row that stands for it. */
    async rowById(id: string): Promise<(RowDocument & { _id: string }) | null> {
      const row = await rows.findOne({ _id: id });
      return row?.merged_into ? this.rowById(row.merged_into) : row;
    },
  };
}

/** Was something written for this line? */
export function hasBegun(
  ledger: LedgerDocument | null | undefined,
): ledger is LedgerDocument & { forgotten?: undefined } {
  return ledger !== null && ledger !== undefined && ledger.version > 0 && !ledger.forgotten;
}

/**
 * The write of a change to the line's ledger, on condition that it is as `before`. Where its listed
 * rows are not counted yet, they are to be counted once the rows are written.
 */
export function ledgerMove(
  before: StoredLine,
  change: LineChange,
): { filter: Filter<LedgerDocument>; update: UpdateFilter<LedgerDocument> } {
  const { line_id, head, revision, newest, caughtUp } = change;
  const version = before.ledger?.version ?? 0;
  const $set: Partial<LedgerDocument> = { head, revision };
  const $inc: Record<string, number> = { version: 1 };
  if (isCounted(before.ledger)) {
    $set.listed_version = version + 1;
    const listed = Object.entries(listedChange(before.rows, change.rows));
    for (const [severity, more] of listed) if (more !== 0) $inc[`listed.${severity}`] = more;
  }
  // Deleting the line or its project moves the version too.
  const $max = newest === undefined ? {} : { newest_revision: newest };
  if (caughtUp) $set.caught_up = caughtUp;
  const update: UpdateFilter<LedgerDocument> = { $set, $inc, $max };
  if (before.ledger?.caught_up && !caughtUp) update.$unset = { caught_up: true };
  return { filter: { _id: line_id, version }, update };
}

/**
 * The writes of a change to the rows of its line: the one place in which their episodes move on, from
 * those that are stored.
 */
export function rowWrites(
  before: StoredLine,
  change: LineChange,
): AnyBulkWriteOperation<RowDocument>[] {
  const { line_id, project_id } = change;
  const known = new Map(before.rows.map((row) => [row.id, row]));
  const now = new Date();
  return change.rows.map((row): AnyBulkWriteOperation<RowDocument> => {
    const former = known.get(row.id);
    const episodes = episodesAfter(former, row, now);
    const document = toDocument({ ...row, episodes }, { line_id, project_id });
    if (!former) return { insertOne: { document } };
    const { _id, ...replacement } = document;
    return { replaceOne: { filter: { _id }, replacement } };
  });
}

/** An entry of the log as the rules read it; nothing where it was removed. */
export function logEntry(document: LogDocument): LogEntry[] {
  if ('removed' in document) return [];
  const { _id, seq, digest, created_at } = document;
  return [{ sbom_id: _id, seq, digest, created_at }];
}

function withoutId<Document extends { _id: string }>(document: Document): Omit<Document, '_id'> {
  const { _id, ...rest } = document;
  return rest;
}
