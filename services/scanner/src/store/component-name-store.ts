import {
  markIndex,
  createBatcher,
  createMarks,
  createWalk,
  isAlreadyStored,
  unmarked,
  type Markable,
  type IndexPlan,
} from '@bomtrail/service-kit';
import { LRUCache } from 'lru-cache';
import type { Db } from 'mongodb';
import type { ComponentName } from '../domain/component-name';
import { pagesOf } from '../domain/pages';

/** A name as it is stored. */
interface ComponentNameDocument extends ComponentName, Markable {
  /** Lower case, cut: a document may name a component by a whole book. */
  name_key: string;
}

export const componentNameIndexes: IndexPlan = {
  component_names: [{ key: { name_key: 1 } }, { key: { identity: 1 } }, markIndex],
};

const keyLength = 1000;
const namesPerWrite = 1000;
/** Scans of one moment that share a round trip. */
const scansPerWrite = 16;
/** Names that this process knows to be stored: fleets send the same ones again and again. */
const cachedNames = 100_000;
/** Names that one step of a walk looks at. */
const perStep = 1_000;
const defaultCacheMs = 60_000;

export type ComponentNameStore = ReturnType<typeof createComponentNameStore>;

/**
 * The names of components to which no package version answers: they are searched for, never judged.
 * One that no component set holds any more goes in two steps (ADR 0018).
 *
 * @param cacheMs how long this process relies on a name that it has seen: well below the time that a
 *   condemned one stays
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
      // One that went between the two is stored anew.
      if (used.matchedCount === ids.length) return;
    }
  }

  const storeBatched = createBatcher<ComponentName[], void>(async (pages) => {
    const distinct = new Map(pages.flat().map((one) => [one._id, one]));
    await storePage([...distinct.values()].map((one) => ({ ...one, name_key: keyOf(one.name) })));
    return pages.map(() => undefined);
  }, scansPerWrite);

  /** Of these, the names that no component set holds. */
  async function unused(ids: readonly string[]): Promise<Set<string>> {
    const found = names.aggregate<{ _id: string }>([
      { $match: { _id: { $in: [...ids] } } },
      { $project: { _id: 1 } },
      {
        $lookup: {
          ...{ from: 'component_set_members', localField: '_id', foreignField: 'versions' },
          ...{ pipeline: [{ $limit: 1 }, { $project: { _id: 1 } }], as: 'affectedSets' },
        },
      },
      { $match: { affectedSets: [] } },
    ]);
    return new Set((await found.toArray()).map(({ _id }) => _id));
  }

  return {
    /** Stores what is not there yet. Must come before the sets that refer to it. */
    async store(noted: Iterable<ComponentName>): Promise<void> {
      const fresh = [...noted].filter(({ _id }) => !stored.has(_id));
      for (const page of pagesOf(fresh, { items: namesPerWrite })) {
        await storeBatched(page);
        for (const { _id } of page) stored.set(_id, true);
      }
    },

    /** Those of this name, in any case. */
    async findByName(name: string): Promise<ComponentName[]> {
      const found = await names.find({ name_key: keyOf(name) }, asNames).toArray();
      return found.filter((one) => one.name.toLowerCase() === name.toLowerCase());
    },

    /** Those with this purl, whatever its version. */
    findByIdentity: (identity: string): Promise<ComponentName[]> =>
      names.find({ identity }, asNames).toArray(),

    /** Condemns those of the next page that no component set holds; gives how many. */
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

    /** Removes those that were condemned before this moment and that no component set holds yet; gives how many. */
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
