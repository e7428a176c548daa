import { inTransaction, type Database } from '@bomtrail/service-kit';
import type { ClientSession } from 'mongodb';
import type {
  AcceptanceDocument,
  DetailsDocument,
  LedgerDocument,
  LogDocument,
  RowDocument,
} from './documents';
import { addTo, createListedCounts, type ListedCounts } from './listed-counts';

/** All that is stored of a line, as it was at one moment. */
export interface WholeLine {
  ledger: LedgerDocument | null;
  rows: RowDocument[];
  /** By id; signs of removal too. */
  log: LogDocument[];
  /** Those whose scope the line is in, also those that are out of force. */
  acceptances: AcceptanceDocument[];
  /** By the clock of the database's server. */
  now: Date;
}

export type LineCheckStore = ReturnType<typeof createLineCheckStore>;

/** Reads lines as they are stored, whatever state they are in, for whoever checks them. */
export function createLineCheckStore(database: Database) {
  const { db, client } = database;
  const ledgers = db.collection<LedgerDocument>('ledgers');
  const log = db.collection<LogDocument>('sbom_log');
  const rows = db.collection<RowDocument>('tracked_vulnerabilities');
  const acceptances = db.collection<AcceptanceDocument>('acceptances');
  const details = db.collection<DetailsDocument>('vulnerability_details');

  const counted = createListedCounts(db);

  async function read(
    line: { service_id: string; project_id: string },
    session?: ClientSession,
  ): Promise<WholeLine> {
    const { service_id, project_id } = line;
    const ledger = await ledgers.findOne({ _id: service_id }, { session });
    const found = await acceptances
      .aggregate<AcceptanceDocument & { now: Date }>(
        [
          { $match: { project_id, service_id: { $in: [null, service_id] } } },
          { $set: { now: '$$NOW' } },
        ],
        { session },
      )
      .toArray();
    return {
      ledger,
      log: await log.find({ service_id }, { session }).sort({ _id: 1 }).toArray(),
      rows: await rows.find({ service_id }, { session }).sort({ _id: 1 }).toArray(),
      acceptances: found,
      now: found[0]?.now ?? new Date(),
    };
  }

  return {
    /** A line as it is at one moment. */
    read: (line: { service_id: string; project_id: string }): Promise<WholeLine> =>
      client.withSession({ snapshot: true }, (session) => read(line, session)),

    /** The same without that: a write meanwhile moves the version of the ledger, which is read first. */
    readLoose: (line: { service_id: string; project_id: string }): Promise<WholeLine> => read(line),

    /** On which every write to the line depends; null when there is no ledger. */
    async version(serviceId: string): Promise<number | null> {
      return (await ledgers.findOne({ _id: serviceId }))?.version ?? null;
    },

    /** Those of these hashes for which no texts are stored. */
    async missingDetails(hashes: readonly string[]): Promise<string[]> {
      const asked = [...new Set(hashes)];
      const found = await details
        .find({ _id: { $in: asked } })
        .project<{ _id: string }>({ _id: 1 })
        .toArray();
      const there = new Set(found.map(({ _id }) => _id));
      return asked.filter((hash) => !there.has(hash));
    },

    /** The listed rows of all lines by severity: as the total has them, and as the sum over the ledgers. */
    listedTotals: (): Promise<{ total: ListedCounts; sum: ListedCounts }> =>
      client.withSession({ snapshot: true }, async (session) => ({
        total: await counted.all(session),
        sum: await counted.sumOver({}, session),
      })),

    /** Brings the total to the sum over the ledgers. */
    mendListedTotals: (): Promise<void> =>
      inTransaction(client, async (session) => {
        const change: ListedCounts = {};
        addTo(change, await counted.sumOver({}, session), 1);
        addTo(change, await counted.all(session), -1);
        await counted.add(change, session);
      }),

    /** Ids of lines that have a ledger, in order, with their projects; of one project or of all. */
    ledgersAfter: (
      where: { project_id?: string | undefined; after: string | null },
      limit: number,
    ): Promise<Pick<LedgerDocument, '_id' | 'project_id'>[]> =>
      ledgers
        .find({
          _id: { $gt: where.after ?? '' },
          ...(where.project_id === undefined ? {} : { project_id: where.project_id }),
        })
        .sort({ _id: 1 })
        .limit(limit)
        .project<Pick<LedgerDocument, '_id' | 'project_id'>>({ project_id: 1 })
        .toArray(),

    /** Lines between two ids (`to`: null for the end) that have rows or log entries. */
    async linesWithAnything(after: string | null, to: string | null): Promise<string[]> {
      const service_id = { $gt: after ?? '', ...(to === null ? {} : { $lte: to }) };
      const found = await Promise.all([
        rows.distinct('service_id', { service_id }),
        log.distinct('service_id', { service_id }),
      ]);
      return [...new Set(found.flat())].sort();
    },

    /** The project that is stored with a line; null where nothing is. */
    async projectOf(serviceId: string): Promise<string | null> {
      const one =
        (await ledgers.findOne({ _id: serviceId })) ??
        (await rows.findOne({ service_id: serviceId })) ??
        (await log.findOne({ service_id: serviceId }));
      return one?.project_id ?? null;
    },
  };
}
