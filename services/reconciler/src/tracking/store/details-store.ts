import type { VulnerabilityDetails } from '@bomtrail/messages';
import { markIndex, createMarks, unmarked } from '@bomtrail/deletion';
import { createWalk, isAlreadyStored, type IndexPlan } from '@bomtrail/mongo';
import { LRUCache } from 'lru-cache';
import type { Db } from 'mongodb';
import type { DetailsDocument } from './documents';

/** Hashes known to be stored: a typical upload brings nothing new. */
const rememberedHashes = 100_000;
/** A quarter of the default grace period. */
const usualMemoryMs = 15 * 60_000;
/** Size of the cache for lists: about 5,000 typical entries. */
const rememberedCharacters = 8_000_000;
/** Characters of an entry beside its description. */
const otherCharacters = 600;
/** Details per step of the walk. */
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
 * Vulnerability details, stored once by content hash. Unused details are marked, then deleted (ADR 0018).
 *
 * @param memoryMs how long this process assumes that details it has seen are stored; at most a quarter of the
 *   grace period
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

  /** Those of these details that no vulnerability refers to. */
  async function unused(ids: readonly string[]): Promise<Set<string>> {
    const found = details.aggregate<{ _id: string }>([
      { $match: { _id: { $in: [...ids] } } },
      { $project: { _id: 1 } },
      {
        $lookup: {
          from: 'tracked_vulnerabilities',
          localField: '_id',
          foreignField: 'snapshot.details',
          pipeline: [{ $limit: 1 }, { $project: { _id: 1 } }],
          as: 'vulnerabilities',
        },
      },
      { $match: { vulnerabilities: [] } },
    ]);
    return new Set((await found.toArray()).map(({ _id }) => _id));
  }

  return {
    /**
     * Stores new details and unmarks existing ones. Must precede the write of vulnerabilities that refer to
     * them.
     */
    async save(vulnerabilities: Record<string, VulnerabilityDetails>): Promise<void> {
      const fresh = Object.entries(vulnerabilities).filter(([hash]) => !stored.has(hash));
      if (fresh.length === 0) return;
      const ids = fresh.map(([hash]) => hash);
      for (;;) {
        const used = await details.updateMany({ _id: { $in: ids } }, unmarked);
        if (used.matchedCount === ids.length) break;
        const documents = fresh.map(([hash, value]) => ({ ...value, _id: hash }));
        const known = await isAlreadyStored(details.insertMany(documents, { ordered: false }));
        // Retry if details were added or removed in between.
        if (known.size === used.matchedCount) break;
      }
      for (const hash of ids) stored.set(hash, true);
    },

    /**
     * Reads details by hash. May include deleted ones from the cache: a hash always stands for the same
     * content.
     */
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

    /** Reads the titles alone, by hash. */
    async titles(hashes: string[]): Promise<Map<string, string>> {
      const found = await details
        .find({ _id: { $in: [...new Set(hashes)] } })
        .project<{ _id: string; title: string }>({ title: 1 })
        .toArray();
      return new Map(found.map(({ _id, title }) => [_id, title]));
    },

    /** Marks unused details on the next page; returns their number. */
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

    /** Deletes details that were marked before this time and are still unused; returns their number. */
    async deleteUnused(before: Date): Promise<number> {
      let dropped = 0;
      for (;;) {
        const due = await marked.due(before, perStep);
        if (due.length === 0) return dropped;
        const without = await unused(due.map(({ _id }) => _id));
        await marked.unmark(due.filter(({ _id }) => !without.has(_id)));
        dropped += await marked.remove(due.filter(({ _id }) => without.has(_id)));
      }
    },
  };
}
