import { createMarks, unmarked, type MarkedDocument } from '@bomtrail/deletion';
import { createWalk } from '@bomtrail/mongo';
import type { Db } from 'mongodb';
import type { DetailsDocument, TrackedVulnerabilityDocument } from './documents';

/** Details per step of the walk. */
const perStep = 1_000;

export type DetailsGarbage = ReturnType<typeof createDetailsGarbage>;

/**
 * Unused details are marked, then deleted (ADR 0018). In the same two steps, details without an open
 * vulnerability leave the indexes of the active list.
 */
export function createDetailsGarbage(db: Db) {
  const details = db.collection<DetailsDocument>('vulnerability_details');
  const vulnerabilities = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');
  const marked = createMarks(details);
  const walk = createWalk(db, perStep);

  /** Those of these details that a vulnerability refers to; `open`: an open one. */
  async function used(ids: readonly string[], open: boolean): Promise<Set<string>> {
    const found = details.aggregate<{ _id: string }>([
      { $match: { _id: { $in: [...ids] } } },
      { $project: { _id: 1 } },
      {
        $lookup: {
          from: vulnerabilities.collectionName,
          localField: '_id',
          foreignField: 'details_id',
          pipeline: [
            ...(open ? [{ $match: { status: 'open' } }] : []),
            { $limit: 1 },
            { $project: { _id: 1 } },
          ],
          as: 'vulnerabilities',
        },
      },
      { $match: { vulnerabilities: { $ne: [] } } },
    ]);
    return new Set((await found.toArray()).map(({ _id }) => _id));
  }

  /** Takes details out of the active list if their marks are unchanged. */
  async function close(due: readonly MarkedDocument[]): Promise<void> {
    if (due.length === 0) return;
    const update = { ...unmarked, $set: { has_open: false } };
    await details.bulkWrite(
      due.map(({ _id, marked_at }) => ({ updateOne: { filter: { _id, marked_at }, update } })),
      { ordered: false },
    );
  }

  return {
    /**
     * Marks details on the next page that are unused, or that are in the active list without an open
     * vulnerability; returns their number.
     */
    async markUnused(now: Date): Promise<number> {
      let count = 0;
      await walk('vulnerability_details', async (after, limit) => {
        const page = await details
          .find({ _id: { $gt: after } }, { projection: { has_open: 1 } })
          .sort({ _id: 1 })
          .limit(limit)
          .toArray();
        const idsOf = (has_open: boolean): string[] =>
          page.filter((one) => one.has_open === has_open).map(({ _id }) => _id);
        const [open, closed] = [await used(idsOf(true), true), await used(idsOf(false), false)];
        const idle = page.filter(({ _id }) => !open.has(_id) && !closed.has(_id));
        count = await marked.markUnreferenced(
          idle.map(({ _id }) => _id),
          now,
        );
        return page.map(({ _id }) => _id);
      });
      return count;
    },

    /**
     * Deletes details that were marked before this time and are still unused; returns their number. Those
     * that only vulnerabilities refer to that are not open leave the active list.
     */
    async deleteUnused(before: Date): Promise<number> {
      let dropped = 0;
      for (;;) {
        const due = await marked.due(before, perStep);
        if (due.length === 0) return dropped;
        const ids = due.map(({ _id }) => _id);
        const [all, open] = [await used(ids, false), await used(ids, true)];
        await marked.unmark(due.filter(({ _id }) => open.has(_id)));
        await close(due.filter(({ _id }) => all.has(_id) && !open.has(_id)));
        dropped += await marked.remove(due.filter(({ _id }) => !all.has(_id)));
      }
    },
  };
}
