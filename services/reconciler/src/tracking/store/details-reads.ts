import type { VulnerabilityDetails } from '@bomtrail/messages';
import { LRUCache } from 'lru-cache';
import type { Db } from 'mongodb';
import { unlistedFields, type PackageDetails } from './details-document';
import type { DetailsNames, DetailsStore } from '../ports';
import type { DetailsDocument } from './documents';
import { remembered, type Entry } from './remembered';

/** Size of the cache for lists: about 5,000 typical entries. */
const rememberedCharacters = 8_000_000;
/** Characters of an entry beside its description. */
const otherCharacters = 600;
/** Titles and ids, about 300 bytes each. */
const rememberedNames = 10_000;

/** The part of the details store that lists use. Details never change, so those in memory are right. */
export function createDetailsReads(db: Db): Pick<DetailsStore, 'read' | 'naming' | 'names'> {
  const details = db.collection<DetailsDocument>('vulnerability_details');
  const texts = new LRUCache<string, PackageDetails>({
    maxSize: rememberedCharacters,
    sizeCalculation: ({ description }) => description.length + otherCharacters,
  });

  const names = new LRUCache<string, DetailsNames>({ max: rememberedNames });

  return {
    read: remembered(texts, (ids) =>
      details
        .find({ _id: { $in: ids } })
        .project<VulnerabilityDetails & PackageDetails & { _id: string }>(unlistedFields)
        .map(({ _id, ...value }): Entry<PackageDetails> => [_id, value]),
    ),

    names: remembered(names, (ids) =>
      details
        .find({ _id: { $in: ids } })
        .project<{ _id: string } & DetailsNames>({ title: 1, aliases: 1 })
        .map(({ _id, title, aliases }): Entry<DetailsNames> => [_id, { title, aliases }]),
    ),

    async naming(ids) {
      const found = await details
        .find({ alias_keys: { $in: [...ids] } })
        .project<{ _id: string }>({ _id: 1 })
        .toArray();
      return found.map(({ _id }) => _id);
    },
  };
}
