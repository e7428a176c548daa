import type { Db } from 'mongodb';

interface WantedEcosystemDocument {
  /** OSV's name without suffix. */
  _id: string;
  wanted_at: Date;
}

export type WantedEcosystemStore = ReturnType<typeof createWantedEcosystemStore>;

/** The ecosystems used by component sets; those already stored are cached. */
export function createWantedEcosystemStore(db: Db) {
  const wanted = db.collection<WantedEcosystemDocument>('wanted_ecosystems');
  const stored = new Set<string>();

  return {
    /** Records that ecosystems are used; free for those already seen by the process. */
    async add(ecosystems: Iterable<string>): Promise<void> {
      const news = [...ecosystems].filter((ecosystem) => !stored.has(ecosystem));
      if (news.length === 0) return;
      const wanted_at = new Date();
      await wanted.bulkWrite(
        news.map((_id) => ({
          updateOne: { filter: { _id }, update: { $setOnInsert: { wanted_at } }, upsert: true },
        })),
        { ordered: false },
      );
      for (const ecosystem of news) stored.add(ecosystem);
    },

    /** In order of first use. */
    async list(): Promise<string[]> {
      const found = await wanted.find().sort({ wanted_at: 1, _id: 1 }).toArray();
      return found.map(({ _id }) => _id);
    },
  };
}
