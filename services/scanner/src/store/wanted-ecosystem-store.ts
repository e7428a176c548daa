import type { Db } from 'mongodb';

interface WantedEcosystemDocument {
  /** OSV's name without suffix. */
  _id: string;
  wanted_at: Date;
}

export type WantedEcosystemStore = ReturnType<typeof createWantedEcosystemStore>;

/** The ecosystems of which a component set holds a package: a few names, known to the process once they are stored. */
export function createWantedEcosystemStore(db: Db) {
  const wanted = db.collection<WantedEcosystemDocument>('wanted_ecosystems');
  const stored = new Set<string>();

  return {
    /** Notes that somebody needs their advisories; costs nothing for those that the process has seen. */
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

    /** In the order in which they were first wanted. */
    async list(): Promise<string[]> {
      const found = await wanted.find().sort({ wanted_at: 1, _id: 1 }).toArray();
      return found.map(({ _id }) => _id);
    },
  };
}
