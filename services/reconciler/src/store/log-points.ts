import type { ClientSession, Db, Filter } from 'mongodb';
import type { LogEntry } from '../domain/types';
import type { LogDocument } from './documents';
import { logEntry } from './ledger-store';

/** A place in the log of a line. */
export interface LogPoint {
  line_id: string;
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
            { line_id: entry.line_id, seq: read.seq },
            read,
          ]),
        ),
      );
    },

    /** For each place that has an entry the next one that exists behind it. */
    async after(points: readonly LogPoint[], session?: ClientSession): Promise<Found> {
      if (points.length === 0) return found([]);
      const behind = {
        $expr: { $and: [{ $eq: ['$line_id', '$$line'] }, { $gt: ['$seq', '$$seq'] }] },
      };
      const pairs = await log
        .aggregate<{ line_id: string; seq: number; next: LogDocument[] }>(
          [
            { $match: atPoints(points) },
            {
              $lookup: {
                from: log.collectionName,
                let: { line: '$line_id', seq: '$seq' },
                pipeline: [{ $match: behind }, { $sort: { line_id: 1, seq: 1 } }, { $limit: 1 }],
                as: 'next',
              },
            },
            { $project: { line_id: 1, seq: 1, next: 1 } },
          ],
          { session },
        )
        .toArray();
      return found(
        pairs.flatMap(({ line_id, seq, next }) =>
          next.flatMap(logEntry).map((entry): [LogPoint, LogEntry] => [{ line_id, seq }, entry]),
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

function keyOf({ line_id, seq }: LogPoint): string {
  return `${line_id} ${seq}`;
}

function atPoints(points: readonly LogPoint[]): Filter<LogDocument> {
  const byLine = new Map<string, number[]>();
  for (const { line_id, seq } of points) {
    byLine.set(line_id, [...(byLine.get(line_id) ?? []), seq]);
  }
  return { $or: [...byLine].map(([line_id, seqs]) => ({ line_id, seq: { $in: seqs } })) };
}
