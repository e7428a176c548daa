import { createBatcher } from '@bomtrail/concurrency';
import { markIndex, createMarks, unmarked, type Markable } from '@bomtrail/deletion';
import { createWalk, isAlreadyStored, type IndexPlan } from '@bomtrail/mongo';
import { LRUCache } from 'lru-cache';
import type { Db } from 'mongodb';
import type { ComponentName } from '../domain/component-name';
import { pagesOf } from '../../domain/pages';

/** A stored search entry. */
interface ComponentNameDocument extends ComponentName, Markable {
  /** Lower case, truncated: names may be very long. */
  name_key: string;
}

export const componentNameIndexes: IndexPlan = {
  component_names: [{ key: { name_key: 1 } }, { key: { identity: 1 } }, markIndex],
};

const keyLength = 1000;
const namesPerWrite = 1000;
/** Concurrent scans that share a round trip. */
const scansPerWrite = 16;
/** Names known to be stored; the same ones recur in many SBOMs. */
const cachedNames = 100_000;
/** Names of one step of a walk. */
const perStep = 1_000;
const defaultCacheMs = 60_000;

export type ComponentNameStore = ReturnType<typeof createComponentNameStore>;

/**
 * Search entries of components that their package versions do not cover. Entries of no component
 * set are deleted in two steps (ADR 0018).
 *
 * @param cacheMs how long the process assumes that a name is stored; well below the time that
 *   marked entries stay
 */
export function createComponentNameStore(db: Db, cacheMs: number = defaultCacheMs) {
  const names = db.collection<ComponentNameDocument>('component_names');
  const stored = new LRUCache<string, true>({ max: cachedNames, ttl: cacheMs });
  const marked = createMarks(names);
  const walk = createWalk(db, perStep);

  async function storePage(documents: ComponentNameDocument[]): Promise<void> {
    for (;;) {
      const known = await isAlreadyStored(names.insertMany(documents, { ordered: false }));
      if (known.size === 0) return;
      const ids = documents.filter((_, index) => known.has(index)).map(({ _id }) => _id);
      const used = await names.updateMany({ _id: { $in: ids } }, unmarked);
      // An entry deleted in between is inserted again.
      if (used.matchedCount === ids.length) return;
    }
  }

  const storeBatched = createBatcher<ComponentName[], void>(async (pages) => {
    const distinct = new Map(pages.flat().map((one) => [one._id, one]));
    await storePage([...distinct.values()].map((one) => ({ ...one, name_key: keyOf(one.name) })));
    return pages.map(() => undefined);
  }, scansPerWrite);

  /** Returns the ids that no component set contains. */
  async function unused(ids: readonly string[]): Promise<Set<string>> {
    const found = names.aggregate<{ _id: string }>([
      { $match: { _id: { $in: [...ids] } } },
      { $project: { _id: 1 } },
      {
        $lookup: {
          from: 'component_set_members',
          localField: '_id',
          foreignField: 'versions',
          pipeline: [{ $limit: 1 }, { $project: { _id: 1 } }],
          as: 'affectedSets',
        },
      },
      { $match: { affectedSets: [] } },
    ]);
    return new Set((await found.toArray()).map(({ _id }) => _id));
  }

  return {
    /** Stores missing entries. Call it before storing the sets that contain them. */
    async store(noted: Iterable<ComponentName>): Promise<void> {
      const fresh = [...noted].filter(({ _id }) => !stored.has(_id));
      for (const page of pagesOf(fresh, { items: namesPerWrite })) {
        await storeBatched(page);
        for (const { _id } of page) stored.set(_id, true);
      }
    },

    /** Entries with this name, ignoring case. */
    async findByName(name: string): Promise<ComponentName[]> {
      const found = await names.find({ name_key: keyOf(name) }, asNames).toArray();
      return found.filter((one) => one.name.toLowerCase() === name.toLowerCase());
    },

    /** Entries with this purl and any version. */
    findByIdentity: (identity: string): Promise<ComponentName[]> =>
      names.find({ identity }, asNames).toArray(),

    /** Marks the unused entries of the next page; returns their number. */
    async markUnused(now: Date): Promise<number> {
      let count = 0;
      await walk('component_names', async (after, limit) => {
        const page = await names
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

    /**
     * Deletes entries that were marked before the given time and are still unused; returns their
     * number.
     */
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

const asNames = { projection: { marked_at: 0 } } as const;

function keyOf(name: string): string {
  return name.toLowerCase().slice(0, keyLength);
}
