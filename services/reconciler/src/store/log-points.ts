import type { ClientSession, Db, Filter } from 'mongodb';
import type { LogEntry } from '../domain/types';
import type { LogDocument } from './documents';
import { logEntry } from './ledger-store';

/** A place in the log of a line. */
export interface LogPoint {
  service_id: string;
  seq: number;
}

export type LogPoints = ReturnType<typeof createLogPoints>;

/** Finds single entries in the logs of many lines: one question each, however long the logs are. */
export function createLogPoints(db: Db) {
  const log = db.collection<LogDocument>('sbom_log');

  return {
    /** The entries at these places, of all lines together. */
    async at(points: readonly LogPoint[], session?: ClientSession): Promise<Found> {
      if (points.length === 0) return found([]);
      const entries = await log.find(atPoints(points), { session }).toArray();
      return found(
        entries.flatMap((entry) =>
          logEntry(entry).map((read): [LogPoint, LogEntry] => [
            { service_id: entry.service_id, seq: read.seq },
            read,
          ]),
        ),
      );
    },

    /** For each place that has an entry the next one that exists behind it. */
    async after(points: readonly LogPoint[], session?: ClientSession): Promise<Found> {
      if (points.length === 0) return found([]);
      const behind = {
        $expr: { $and: [{ $eq: ['$service_id', '$$line'] }, { $gt: ['$seq', '$$seq'] }] },
      };
      const pairs = await log
        .aggregate<{ service_id: string; seq: number; next: LogDocument[] }>(
          [
            { $match: atPoints(points) },
            {
              $lookup: {
                from: log.collectionName,
                let: { line: '$service_id', seq: '$seq' },
                pipeline: [{ $match: behind }, { $sort: { service_id: 1, seq: 1 } }, { $limit: 1 }],
                as: 'next',
              },
            },
            { $project: { service_id: 1, seq: 1, next: 1 } },
          ],
          { session },
        )
        .toArray();
      return found(
        pairs.flatMap(({ service_id, seq, next }) =>
          next.flatMap(logEntry).map((entry): [LogPoint, LogEntry] => [{ service_id, seq }, entry]),
        ),
      );
    },
  };
}

/** The entry that was found for a place. */
export type Found = (point: LogPoint) => LogEntry | undefined;

function found(pairs: [LogPoint, LogEntry][]): Found {
  const byKey = new Map(pairs.map(([point, entry]) => [keyOf(point), entry]));
  return (point) => byKey.get(keyOf(point));
}

function keyOf({ service_id, seq }: LogPoint): string {
  return `${service_id} ${seq}`;
}

function atPoints(points: readonly LogPoint[]): Filter<LogDocument> {
  const byLine = new Map<string, number[]>();
  for (const { service_id, seq } of points) {
    byLine.set(service_id, [...(byLine.get(service_id) ?? []), seq]);
  }
  return { $or: [...byLine].map(([service_id, seqs]) => ({ service_id, seq: { $in: seqs } })) };
}
