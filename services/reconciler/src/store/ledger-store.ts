import type { SbomReference } from '@bomtrail/messages';
import {
  createKeyedMutex,
  inTransaction,
  isDuplicateKey,
  type Database,
  type IndexPlan,
} from '@bomtrail/service-kit';
import { maxRowsAtOnce, TooLargeAtOnce } from '../domain/too-large';
import type { LogEntry, Row } from '../domain/types';
import type { LedgerDocument, LogDocument, RowDocument } from './documents';
import { createProjectStore } from './project-store';
import { toRow } from './row-mapping';
import { splitChange } from './split-change';
import { createChangeWriter, type LineChange, type StoredLine } from './write-changes';

export const ledgerIndexes: IndexPlan = {
  sbom_log: [{ key: { service_id: 1, seq: 1 } }],
  tracked_vulnerabilities: [
    { key: { service_id: 1, package_key: 1 } },
    { key: { identity: 1, project_id: 1 } },
  ],
};

/**
 * Rows above which changes of lines are written one after the other: each row is some twenty entries of
 * indexes, and where those of several such transactions do not fit into the database's cache it rolls
 * them back again and again.
 */
const manyRows = 500;
/**
 * Rows that one transaction of a line holds at most. MongoDB ends one that lasts longer than 15 s; 5,000
 * rows took up to 6 s of two cores that others kept busy.
 */
const rowsAtOnce = 2_000;
/** As `limit` of a question takes it. */
const unboundedRows = 2 ** 31 - 2;

/** `lost`: somebody else wrote first. `forgotten`: the project was deleted, or the line. */
export type SaveOutcome = 'saved' | 'lost' | 'forgotten';

export type LedgerStore = ReturnType<typeof createLedgerStore>;

/**
 * Ledger documents, logs and rows of version lines, always changed together.
 *
 * @param bounds `rows`: how many one transaction holds at most, at least 1; `rowsRead`: how many rows of
 *   several packages are read at once
 */
export function createLedgerStore(
  database: Database,
  bounds: { rows?: number | undefined; rowsRead?: number | undefined } = {},
) {
  const { rows: most = rowsAtOnce, rowsRead = maxRowsAtOnce } = bounds;
  const { db, client } = database;
  const ledgers = db.collection<LedgerDocument>('ledgers');
  const log = db.collection<LogDocument>('sbom_log');
  const rows = db.collection<RowDocument>('tracked_vulnerabilities');
  const projects = createProjectStore(database);
  const changes = createChangeWriter(db);
  const withKey = createKeyedMutex();

  /**
   * The empty ledger of a line, in a short transaction of its own, because all lines of a project wait
   * for each other in it. `forgotten`: the project was deleted.
   */
  async function begin({ service_id, project_id }: LineChange): Promise<'begun' | 'forgotten'> {
    const empty = { _id: service_id, project_id, version: 0, head: null, revision: 0 };
    try {
      return await projects.addTo(project_id, async (session) => {
        await ledgers.insertOne(empty, { session });
        return 'begun' as const;
      });
    } catch (error) {
      if (isDuplicateKey(error)) return 'begun';
      throw error;
    }
  }

  /** The ledger of a line; null: nothing was written for it yet. `forgotten`: the line was deleted. */
  async function ledger(serviceId: string): Promise<LedgerDocument | null | 'forgotten'> {
    return asRead(await ledgers.findOne({ _id: serviceId }));
  }

  /** Rows that may be read at once; a package cannot be divided. */
  const mostRows = (packages: readonly string[] | undefined): number =>
    packages?.length === 1 ? unboundedRows : rowsRead;

  /**
   * The rows of a line whose ledger was read before: what changes in between fails the ledger's
   * condition.
   *
   * @param packages the only ones whose rows are read; all when absent, no row when empty
   * @throws TooLargeAtOnce where these are too many, and not those of a single package
   */
  async function rowsOf(
    { serviceId, ledger: read }: { serviceId: string; ledger: LedgerDocument | null },
    packages?: readonly string[],
  ): Promise<Row[]> {
    if (!read || packages?.length === 0) return [];
    const scope = packages ? { package_key: { $in: [...packages] } } : {};
    const most = mostRows(packages);
    const found = await rows
      .find({ service_id: serviceId, ...scope }, { limit: most + 1 })
      .toArray();
    if (found.length > most) throw new TooLargeAtOnce(`The line ${serviceId} has too many rows.`);
    return found.map(toRow);
  }

  /** One transaction; false when the line is not as `before` any more. */
  async function saveOne(before: StoredLine, change: LineChange): Promise<boolean> {
    const save = (): Promise<boolean> =>
      inTransaction(client, async (session) => {
        const written = await changes.write([{ before, change }], { session, begins: false });
        if (!written) await session.abortTransaction();
        return written;
      });
    try {
      return change.rows.length > manyRows ? await withKey('many rows', save) : await save();
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  return {
    ledger,
    rows: rowsOf,
    mostRows,
    rowsRead,

    /** A line with all of its rows. `forgotten`: it was deleted. */
    async load(serviceId: string): Promise<StoredLine | 'forgotten'> {
      const read = await ledger(serviceId);
      if (read === 'forgotten') return read;
      return { ledger: read, rows: await rowsOf({ serviceId, ledger: read }) };
    },

    /** The newest scanned SBOM of each line, by line. */
    async headsOf(serviceIds: string[]): Promise<Map<string, LogEntry | null>> {
      const found = await ledgers
        .find({ _id: { $in: serviceIds } })
        .project<Pick<LedgerDocument, '_id' | 'head'>>({ head: 1 })
        .toArray();
      return new Map(found.map(({ _id, head }) => [_id, head]));
    },

    /** How many rows a line has in each package. */
    async packageCounts(serviceId: string): Promise<Map<string, number>> {
      const found = rows.aggregate<{ _id: string; count: number }>([
        { $match: { service_id: serviceId } },
        { $group: { _id: '$package_key', count: { $sum: 1 } } },
      ]);
      return new Map((await found.toArray()).map(({ _id, count }) => [_id, count]));
    },

    entry: (sbomId: string) => log.findOne({ _id: sbomId }),

    /** What the log holds under these ids. */
    async known(sbomIds: readonly string[]): Promise<Map<string, LogDocument>> {
      const found = await log.find({ _id: { $in: [...sbomIds] } }).toArray();
      return new Map(found.map((document) => [document._id, document]));
    },

    /** The sequence numbers of the entries that exist, in order, from the last one before this number. */
    async seqsAround(serviceId: string, seq: number): Promise<number[]> {
      const ofLine = { service_id: serviceId, removed: { $exists: false } };
      const only = { projection: { seq: 1 } };
      const [before, behind] = await Promise.all([
        log
          .find({ ...ofLine, seq: { $lt: seq } }, only)
          .sort({ seq: -1 })
          .limit(1)
          .toArray(),
        log
          .find({ ...ofLine, seq: { $gt: seq } }, only)
          .sort({ seq: 1 })
          .toArray(),
      ]);
      return [...before, ...behind].flatMap((one) => ('seq' in one ? [one.seq] : []));
    },

    /** The entries that exist, in order. */
    async entries(serviceId: string): Promise<LogEntry[]> {
      const documents = await log
        .find({ service_id: serviceId, removed: { $exists: false } })
        .sort({ seq: 1 })
        .toArray();
      return documents.flatMap(logEntry);
    },

    /**
     * Writes a change on condition that the line is still as `before`, in one transaction, or, where it has
     * too many rows for one, in several: see `splitChange`. `lost`: somebody else wrote first, maybe between
     * two of them; `forgotten`: the project was deleted, or the line meanwhile.
     */
    async save(before: StoredLine, change: LineChange): Promise<SaveOutcome> {
      if (!before.ledger) {
        const begun = await withKey(change.project_id, () => begin(change));
        if (begun === 'forgotten') return begun;
      }
      const version = before.ledger?.version ?? 0;
      const parts = splitChange(before, change, most);
      for (const [written, part] of parts.entries()) {
        const now = written === 0 ? before.ledger : await ledger(change.service_id);
        if (now === 'forgotten') return now;
        if ((now?.version ?? 0) !== version + written) return 'lost';
        if (!(await saveOne({ ledger: now, rows: before.rows }, part))) return 'lost';
      }
      return 'saved';
    },

    /**
     * The lines of a project whose newest SBOM holds one of these aliases, and in which packages: the
     * rows that an acceptance changes.
     */
    async presentWith(
      projectId: string,
      identity: readonly string[],
    ): Promise<{ service_id: string; packages: string[] }[]> {
      const found = rows.aggregate<{ _id: string; packages: string[] }>([
        {
          $match: {
            project_id: projectId,
            identity: { $in: identity },
            status: { $in: ['open', 'accepted'] },
          },
        },
        { $group: { _id: '$service_id', packages: { $addToSet: '$package_key' } } },
      ]);
      return (await found.toArray()).map(({ _id, packages }) => ({ service_id: _id, packages }));
    },

    /** A row by its id; one that was merged gives the row that stands for it. */
    async rowById(id: string): Promise<(RowDocument & { _id: string }) | null> {
      const row = await rows.findOne({ _id: id });
      return row?.merged_into ? this.rowById(row.merged_into) : row;
    },
  };
}

/** A ledger as changes of its line see it: one to which nothing was written yet is none. */
export function asRead(
  ledger: LedgerDocument | null | undefined,
): LedgerDocument | null | 'forgotten' {
  if (ledger?.forgotten) return 'forgotten';
  return ledger && ledger.version > 0 ? ledger : null;
}

/** The SBOM of a scan as an entry of the log. */
export function entryOf({ sbom_id, seq, digest, created_at }: SbomReference): LogEntry {
  return { sbom_id, seq, digest, created_at };
}

/** The same as it is stored. */
export function logDocument(scan: SbomReference): LogDocument {
  const { sbom_id, ...entry } = entryOf(scan);
  return { _id: sbom_id, service_id: scan.service_id, project_id: scan.project_id, ...entry };
}

/** An entry of the log as the rules read it; nothing where it was removed. */
export function logEntry(document: LogDocument): LogEntry[] {
  if ('removed' in document) return [];
  const { _id, seq, digest, created_at } = document;
  return [{ sbom_id: _id, seq, digest, created_at }];
}
