import { LICENCE_INDEX_VERSION, type LicenceEntry } from '@bomtrail/sbom-formats';
import { unpackJson } from '@bomtrail/messaging';
import type { Db } from 'mongodb';
import type { PackedLicences } from '../worker/pack-licences';
import type { ComponentSetRecord } from './document-store';

/** Sets without the field, or of older rules. */
const notIndexed = { licence_index: { $not: { $gte: LICENCE_INDEX_VERSION } } };

export type LicenceStore = ReturnType<typeof createLicenceStore>;

/** The licences of component sets (ADR 0077). */
export function createLicenceStore(db: Db) {
  const sets = db.collection<ComponentSetRecord>('component_sets');
  return {
    /** Digests of the sets with components under a key; read from the index alone. */
    async findSets(key: string): Promise<string[]> {
      const found = sets.find(
        { 'licences.keys': key },
        { projection: { _id: 1 }, hint: 'licence_keys', batchSize: 5_000 },
      );
      const digests: string[] = [];
      for await (const { _id } of found) digests.push(_id);
      return digests;
    },

    /** Whether a set has components under a key. */
    async hasSet(key: string): Promise<boolean> {
      const found = { projection: { _id: 1 }, hint: 'licence_keys' };
      return (await sets.findOne({ 'licences.keys': key }, found)) !== null;
    },

    /** The entries of some sets under a key, by digest. */
    async entriesOf(digests: readonly string[], key: string): Promise<Map<string, LicenceEntry>> {
      const found = await sets
        .find({ _id: { $in: [...digests] } })
        .project<Pick<ComponentSetRecord, '_id' | 'licences'>>({ 'licences.entries': 1 })
        .toArray();
      const entries = new Map<string, LicenceEntry>();
      for (const { _id, licences } of found) {
        const all = licences ? ((await unpackJson(licences.entries)) as LicenceEntry[]) : [];
        const entry = all.find((one) => one.key === key);
        if (entry) entries.set(_id, entry);
      }
      return entries;
    },

    /** Digests and sizes of sets that are not indexed by the current rules. */
    async listNotIndexed(limit: number): Promise<{ digest: string; count: number }[]> {
      const found = await sets
        .find(notIndexed, { projection: { count: 1 }, hint: 'licence_index' })
        .limit(limit)
        .toArray();
      return found.map(({ _id: digest, count }) => ({ digest, count }));
    },

    async store(digest: string, licences: PackedLicences): Promise<void> {
      const indexed = { licences, licence_index: LICENCE_INDEX_VERSION };
      await sets.updateOne({ _id: digest }, { $set: indexed });
    },
  };
}
