import { knownAlready, type IndexPlan } from '@bomtrail/service-kit';
import { LRUCache } from 'lru-cache';
import type { Db } from 'mongodb';
import type { ComponentName } from '../domain/component-name';
import { pagesOf } from '../domain/pages';

/** A name as it is stored. */
interface ComponentNameDocument extends ComponentName {
  /** Lower case, cut: a document may name a component by a whole book. */
  name_key: string;
}

export const componentNameIndexes: IndexPlan = {
  component_names: [{ key: { name_key: 1 } }, { key: { identity: 1 } }],
};

const keyLength = 1000;
const namesPerWrite = 1000;
/** Names that this process knows to be stored: fleets send the same ones again and again. */
const rememberedNames = 100_000;

export type ComponentNameStore = ReturnType<typeof createComponentNameStore>;

/** The names of components to which no package version answers: they are searched for, never judged. */
export function createComponentNameStore(db: Db) {
  const names = db.collection<ComponentNameDocument>('component_names');
  const stored = new LRUCache<string, true>({ max: rememberedNames });

  return {
    /** Stores what is not there yet. Must come before the sets that refer to it. */
    async keep(noted: Iterable<ComponentName>): Promise<void> {
      const fresh = [...noted].filter(({ _id }) => !stored.has(_id));
      for (const page of pagesOf(fresh, { items: namesPerWrite })) {
        const documents = page.map((one) => ({ ...one, name_key: keyOf(one.name) }));
        await knownAlready(names.insertMany(documents, { ordered: false }));
        for (const { _id } of page) stored.set(_id, true);
      }
    },

    /** Those of this name, in any case. */
    async findByName(name: string): Promise<ComponentName[]> {
      const found = await names.find({ name_key: keyOf(name) }).toArray();
      return found.filter((one) => one.name.toLowerCase() === name.toLowerCase());
    },

    /** Those with this purl, whatever its version. */
    findByIdentity: (identity: string): Promise<ComponentName[]> =>
      names.find({ identity }).toArray(),
  };
}

function keyOf(name: string): string {
  return name.toLowerCase().slice(0, keyLength);
}
