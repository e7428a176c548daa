import type { VulnerabilityDetails } from '@bomtrail/messages';
import { LRUCache } from 'lru-cache';
import type { Db } from 'mongodb';
import { unlistedFields, type PackageDetails } from './details-document';
import type { DetailsNames, DetailsStore } from '../ports';
import type { DetailsDocument } from './documents';

/** Size of the cache for lists: about 5,000 typical entries. */
const rememberedCharacters = 8_000_000;
/** Characters of an entry beside its description. */
const otherCharacters = 600;

/** The part of the details store that lists use. */
export function createDetailsReads(db: Db): Pick<DetailsStore, 'read' | 'naming' | 'names'> {
  const details = db.collection<DetailsDocument>('vulnerability_details');
  const texts = new LRUCache<string, PackageDetails>({
    maxSize: rememberedCharacters,
    sizeCalculation: ({ description }) => description.length + otherCharacters,
  });

  return {
    async read(ids) {
      const found = new Map<string, PackageDetails>();
      const missing: string[] = [];
      for (const id of new Set(ids)) {
        const known = texts.get(id);
        if (known) found.set(id, known);
        else missing.push(id);
      }
      if (missing.length === 0) return found;
      const read = details
        .find({ _id: { $in: missing } })
        .project<VulnerabilityDetails & PackageDetails & { _id: string }>(unlistedFields);
      for await (const { _id, ...value } of read) {
        texts.set(_id, value);
        found.set(_id, value);
      }
      return found;
    },

    async naming(ids) {
      const found = await details
        .find({ alias_keys: { $in: [...ids] } })
        .project<{ _id: string }>({ _id: 1 })
        .toArray();
      return found.map(({ _id }) => _id);
    },

    async names(ids) {
      const found = await details
        .find({ _id: { $in: [...new Set(ids)] } })
        .project<{ _id: string } & DetailsNames>({ title: 1, aliases: 1 })
        .toArray();
      return new Map(found.map(({ _id, title, aliases }) => [_id, { title, aliases }]));
    },
  };
}
