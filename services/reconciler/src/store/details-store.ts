import type { VulnerabilityDetails } from '@bomtrail/messages';
import { knownAlready } from '@bomtrail/service-kit';
import { LRUCache } from 'lru-cache';
import type { Db } from 'mongodb';
import type { DetailsDocument } from './documents';

/** Hashes that this process knows to be stored: the usual upload brings nothing new. */
const rememberedHashes = 100_000;

export type DetailsStore = ReturnType<typeof createDetailsStore>;

/** What people read about vulnerabilities, once for all rows that show it, kept by content. */
export function createDetailsStore(db: Db) {
  const details = db.collection<DetailsDocument>('vulnerability_details');
  const stored = new LRUCache<string, true>({ max: rememberedHashes });

  return {
    /** Stores what is not there yet. Must come before the rows that refer to it. */
    async keep(vulnerabilities: Record<string, VulnerabilityDetails>): Promise<void> {
      const fresh = Object.entries(vulnerabilities).filter(([hash]) => !stored.has(hash));
      if (fresh.length === 0) return;
      const documents = fresh.map(([hash, value]) => ({ ...value, _id: hash }));
      await knownAlready(details.insertMany(documents, { ordered: false }));
      for (const [hash] of fresh) stored.set(hash, true);
    },

    async read(hashes: string[]): Promise<Map<string, DetailsDocument>> {
      const found = await details.find({ _id: { $in: [...new Set(hashes)] } }).toArray();
      return new Map(found.map((document) => [document._id, document]));
    },
  };
}
