import { randomUUID } from 'node:crypto';
import type { Collection } from 'mongodb';

/** A document of which every write is told apart. */
interface Generational {
  _id: string;
  digest: string;
  generation: string;
}

/** One version of a stored document. */
export interface FoundDocument {
  _id: string;
  generation: string;
}

/** The mark of one write. */
export const newGeneration = (): string => randomUUID();

/**
 * Removes documents of a set unless they were written again since they were found. Between finding
 * and removing, the caller makes sure that the set is held nowhere.
 */
export function createGenerations<Document extends Generational>(collection: Collection<Document>) {
  const documents = collection as unknown as Collection<Generational>;
  return {
    async find(digest: string): Promise<FoundDocument[]> {
      const found = documents.find({ digest }, { projection: { generation: 1 } });
      return (await found.toArray()).map(({ _id, generation }) => ({ _id, generation }));
    },

    async remove(found: readonly FoundDocument[]): Promise<void> {
      if (found.length === 0) return;
      await documents.bulkWrite(
        found.map(({ _id, generation }) => ({
          deleteOne: { filter: { _id, generation } },
        })),
        { ordered: false },
      );
    },
  };
}
