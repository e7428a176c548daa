import type { VulnerabilityDetails } from '@bomtrail/messages';
import {
  markIndex,
  createMarks,
  createWalk,
  isAlreadyStored,
  unmarked,
  type IndexPlan,
} from '@bomtrail/service-kit';
import { LRUCache } from 'lru-cache';
import type { Db } from 'mongodb';
import type { DetailsDocument } from './documents';

/** Hashes that this process knows to be stored: the usual upload brings nothing new. */
const rememberedHashes = 100_000;
/** A quarter of the usual grace. */
const usualMemoryMs = 15 * 60_000;
/** Of the texts that lists have shown lately: some five thousand usual ones. */
const rememberedCharacters = 8_000_000;
/** Of a text beside its description: ids, references, and the object itself. */
const otherCharacters = 600;
/** Details that one step of a walk looks at. */
const perStep = 1_000;

export const detailsIndexes: IndexPlan = {
  vulnerability_details: [markIndex],
  tracked_vulnerabilities: [
    {
      key: { 'snapshot.details': 1 },
      name: 'details',
      partialFilterExpression: { 'snapshot.details': { $exists: true } },
    },
  ],
};

export type DetailsStore = ReturnType<typeof createDetailsStore>;

/**
 * What people read about vulnerabilities, once for all rows that show it, kept by content. What no row
 * shows any more goes in two steps (ADR 0018).
 *
 * @param memoryMs how long this process relies on details that it has seen: a quarter of the time that
 *   condemned ones stay at most
 */
export function createDetailsStore(db: Db, memoryMs: number = usualMemoryMs) {
  const details = db.collection<DetailsDocument>('vulnerability_details');
  const stored = new LRUCache<string, true>({ max: rememberedHashes, ttl: memoryMs });
  const texts = new LRUCache<string, VulnerabilityDetails>({
    maxSize: rememberedCharacters,
    sizeCalculation: ({ description }) => description.length + otherCharacters,
  });
  const marked = createMarks(details);
  const walk = createWalk(db, perStep);

  /** Of these, the ones that no row shows. */
  async function unused(ids: readonly string[]): Promise<Set<string>> {
    const found = details.aggregate<{ _id: string }>([
      { $match: { _id: { $in: [...ids] } } },
      { $project: { _id: 1 } },
      {
        $lookup: {
          ...{
            from: 'tracked_vulnerabilities',
            localField: '_id',
            foreignField: 'snapshot.details',
          },
          ...{ pipeline: [{ $limit: 1 }, { $project: { _id: 1 } }], as: 'vulnerabilities' },
        },
      },
      { $match: { vulnerabilities: [] } },
    ]);
    return new Set((await found.toArray()).map(({ _id }) => _id));
  }

  return {
    /** Stores what is not there yet, and lifts the mark of what is. Must come before the rows that refer to it. */
    async save(vulnerabilities: Record<string, VulnerabilityDetails>): Promise<void> {
      const fresh = Object.entries(vulnerabilities).filter(([hash]) => !stored.has(hash));
      if (fresh.length === 0) return;
      const ids = fresh.map(([hash]) => hash);
      for (;;) {
        const used = await details.updateMany({ _id: { $in: ids } }, unmarked);
        if (used.matchedCount === ids.length) break;
        const documents = fresh.map(([hash, value]) => ({ ...value, _id: hash }));
        const known = await isAlreadyStored(details.insertMany(documents, { ordered: false }));
        // One that came or went between the two is looked at again.
        if (known.size === used.matchedCount) break;
      }
      for (const hash of ids) stored.set(hash, true);
    },

    /** Those of these that are stored, and maybe some that were: a hash stands for one text for ever. */
    async read(hashes: string[]): Promise<Map<string, VulnerabilityDetails>> {
      const found = new Map<string, VulnerabilityDetails>();
      const missing: string[] = [];
      for (const hash of new Set(hashes)) {
        const known = texts.get(hash);
        if (known) found.set(hash, known);
        else missing.push(hash);
      }
      if (missing.length === 0) return found;
      const read = details
        .find({ _id: { $in: missing } })
        .project<DetailsDocument>({ marked_at: 0 });
      for await (const { _id, ...value } of read) {
        texts.set(_id, value);
        found.set(_id, value);
      }
      return found;
    },

    /** The titles alone, by hash. */
    async titles(hashes: string[]): Promise<Map<string, string>> {
      const found = await details
        .find({ _id: { $in: [...new Set(hashes)] } })
        .project<{ _id: string; title: string }>({ title: 1 })
        .toArray();
      return new Map(found.map(({ _id, title }) => [_id, title]));
    },

    /** Condemns those of the next page that no row shows; gives how many. */
    async markUnused(now: Date): Promise<number> {
      let count = 0;
      await walk('vulnerability_details', async (after, limit) => {
        const page = await details
          .find({ _id: { $gt: after } }, { projection: { _id: 1 } })
          .sort({ _id: 1 })
          .limit(limit)
          .toArray();
        const ids = page.map(({ _id }) => _id);
        if (ids.length > 0) count = await marked.markUnreferenced([...(await unused(ids))], now);
        return ids;
      });
      return count;
    },

    /** Removes those that were condemned before this moment and that no row shows yet; gives how many. */
    async deleteUnused(before: Date): Promise<number> {
      let dropped = 0;
      for (;;) {
        const due = await marked.due(before, perStep);
        if (due.length === 0) return dropped;
        const without = await unused(due.map(({ _id }) => _id));
        await marked.spare(due.filter(({ _id }) => !without.has(_id)));
        dropped += await marked.remove(due.filter(({ _id }) => without.has(_id)));
      }
    },
  };
}
