import { randomUUID } from 'node:crypto';
import type { Collection } from 'mongodb';

/** A document whose writes can be distinguished. */
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

/** Creates the generation of one write. */
export const newGeneration = (): string => randomUUID();

/**
 * Deletes documents of a set unless they were written again since they were found. In between, the
 * caller checks that the set is unused.
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
