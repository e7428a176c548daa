import { alertThresholds } from '@bomtrail/messages';
import { eventually } from '@bomtrail/testkit';
import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import { episodeOf } from '../domain/episodes';
import type { RowDocument } from '../store/documents';
import { toRow } from '../store/row-mapping';
import { beginOf, isAt, type RowState } from './naive-episodes';

/** Every write to rows of a database, from now on. */
export interface RowHistories {
  /** Rows whose episodes do not follow from what they went through; and how many writes were seen. */
  check(): Promise<{ writes: number; wrong: string[] }>;
  stop(): Promise<void>;
}

/** Listens to the writes, whoever makes them. */
export async function watchRows(db: Db): Promise<RowHistories> {
  const rows = new Map<string, RowDocument[]>();
  const marks = new Set<string>();
  const markName = 'test_marks';
  await db.createCollection(markName);
  const stream = db.watch<RowDocument>([
    {
      $match: {
        operationType: { $in: ['insert', 'replace', 'update'] },
        'ns.coll': { $in: ['tracked_vulnerabilities', markName] },
      },
    },
  ]);
  stream.on('change', (change) => {
    if (change.operationType === 'update') {
      rows.set(`${change.documentKey._id} was changed without its episodes`, []);
    } else if (change.operationType === 'insert' || change.operationType === 'replace') {
      const { fullDocument, ns } = change;
      if (ns.coll === markName) marks.add(fullDocument._id);
      else rows.set(fullDocument._id, [...(rows.get(fullDocument._id) ?? []), fullDocument]);
    }
  });
  const mark = async (): Promise<boolean> => {
    const _id = randomUUID();
    await db.collection<{ _id: string }>(markName).insertOne({ _id });
    return eventually(() => marks.has(_id), {
      within: 1_000,
      what: 'the stream tells what was written',
    }).then(
      () => true,
      () => false,
    );
  };
  await eventually(mark, { what: 'the stream is there' });
  return {
    async check() {
      await eventually(mark, { what: 'every write was told' });
      const all = [...rows];
      return {
        writes: all.reduce((sum, [, history]) => sum + history.length, 0),
        wrong: all.flatMap(([id, history]) => (history.length === 0 ? [id] : wrongIn(history))),
      };
    },
    stop: () => stream.close(),
  };
}

function wrongIn(history: readonly RowDocument[]): string[] {
  const states = history.map((row): RowState => {
    return row.status === 'open' ? (row.shown?.severity ?? 'unknown') : row.status;
  });
  const wrong: string[] = [];
  for (const threshold of alertThresholds) {
    const begins = new Map<string, number>();
    for (const [moment, row] of history.entries()) {
      if (!isAt(states[moment], threshold)) continue;
      const { episode } = episodeOf(toRow(row), threshold);
      const begin = beginOf(states, moment, threshold);
      if ((begins.get(episode) ?? begin) !== begin || row.episodes?.[threshold] === undefined)
        wrong.push(`${row._id}, ${threshold}, write ${moment} of ${states.join()}`);
      for (const [other, began] of begins)
        if (began === begin && other !== episode)
          wrong.push(`${row._id}, ${threshold}, two episodes in one of ${states.join()}`);
      begins.set(episode, begin);
    }
  }
  const kept = history.filter(({ listed, episodes = {} }) => !listed && 'low' in episodes);
  return [...wrong, ...kept.map(({ _id }) => `${_id} is in an episode and not listed`)];
}
