import { maxTimelineRuns } from '@bomtrail/messages';
import { withSnapshot, type Database } from '@bomtrail/service-kit';
import type { ClientSession } from 'mongodb';
import type { LogEntry } from '../domain/types';
import type { AcceptanceDocument, LedgerDocument, RowDocument } from './documents';
import { createLogPoints } from './log-points';

/** A row with everything that its timeline follows from, as it was at one moment. */
export interface StoredRecord {
  row: RowDocument;
  ledger: LedgerDocument;
  /** Where its last `maxTimelineRuns` runs, and the first one, begin and end. */
  entries: LogEntry[];
  /** In whose scope the row is and whose aliases it has, also those that have expired. */
  acceptances: AcceptanceDocument[];
  /** The time of the database's server, by which acceptances expire. */
  now: Date;
}

export type RecordStore = ReturnType<typeof createRecordStore>;

/** Reads single rows with their surroundings as they are at one moment, so that they fit each other. */
export function createRecordStore(database: Database) {
  const { db, client } = database;
  const rows = db.collection<RowDocument>('tracked_vulnerabilities');
  const ledgers = db.collection<LedgerDocument>('ledgers');
  const acceptances = db.collection<AcceptanceDocument>('acceptances');
  const points = createLogPoints(db);

  async function livingRow(id: string, session: ClientSession): Promise<RowDocument | null> {
    const row = await rows.findOne({ _id: id }, { session });
    return row?.merged_into ? livingRow(row.merged_into, session) : row;
  }

  async function entriesOf(row: RowDocument, session: ClientSession): Promise<LogEntry[]> {
    const { service_id } = row;
    const told = row.runs.slice(-maxTimelineRuns);
    const begins = [...row.runs.slice(0, 1), ...told].map(({ from }) => ({
      service_id,
      seq: from,
    }));
    const ends = told.flatMap(({ to }) => (to === null ? [] : [{ service_id, seq: to }]));
    const at = await points.at(begins, session);
    const after = await points.after(ends, session);
    return [...begins.flatMap((point) => at(point) ?? []), ...ends.flatMap((p) => after(p) ?? [])];
  }

  return {
    /** The row that stands for an id. Null: there is none, no SBOM holds it any more, or its line was deleted. */
    read(id: string): Promise<StoredRecord | null> {
      return withSnapshot(client, async (session) => {
        const row = await livingRow(id, session);
        if (!row || row.runs.length === 0) return null;
        const { service_id, project_id, alias_keys } = row;
        const ledger = await ledgers.findOne({ _id: service_id }, { session });
        if (!ledger || ledger.forgotten) return null;
        const found = await acceptances
          .aggregate<AcceptanceDocument & { now: Date }>(
            [
              {
                $match: {
                  project_id,
                  service_id: { $in: [null, service_id] },
                  identity: { $in: alias_keys },
                  pending: { $ne: 'revert' },
                },
              },
              { $sort: { created_at: 1, _id: 1 } },
              { $set: { now: '$$NOW' } },
            ],
            { session },
          )
          .toArray();
        return {
          row,
          ledger,
          entries: await entriesOf(row, session),
          acceptances: found,
          now: found[0]?.now ?? new Date(),
        };
      });
    },
  };
}
