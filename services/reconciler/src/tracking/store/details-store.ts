import { markIndex, unmarked } from '@bomtrail/deletion';
import type { VulnerabilityDetails } from '@bomtrail/messages';
import { type IndexPlan, isAlreadyStored } from '@bomtrail/mongo';
import { LRUCache } from 'lru-cache';
import type { Db } from 'mongodb';
import {
  type DetailsFacts,
  factsOf,
  factsProjection,
  type PackageDetails,
  toDetailsDocument,
  unlistedFields,
  withRiskValues,
} from './details-document';
import type { RatedValues } from '../../risk/domain/risk-values';
import type { RatedDetails } from '../../risk/ports';
import type { DetailsDocument } from './documents';
import type { DetailsStore } from '../ports';
import { type Entry, remembered } from './remembered';
import { toVulnerability } from './vulnerability-mapping';

/** Ids known to be stored: a typical upload brings nothing new. */
const rememberedIds = 100_000;
/** Facts in memory, of about 500 bytes each. */
const rememberedFacts = 50_000;
/** Size of the cache for lists: about 5,000 typical entries. */
const rememberedCharacters = 8_000_000;
/** Characters of an entry beside its description. */
const otherCharacters = 600;
/** A quarter of the default grace period. */
const usualMemoryMs = 15 * 60_000;

export const detailsIndexes: IndexPlan = { vulnerability_details: [markIndex] };

/** Computes the risk values of details, by id. */
export type Rate = (details: readonly RatedDetails[]) => Promise<ReadonlyMap<string, RatedValues>>;

/**
 * @param memoryMs how long this process assumes that details it has seen are stored and in the active list;
 *   at most a quarter of the grace period
 * @param rate computes the risk values of new details
 */
export function createDetailsStore(
  db: Db,
  memoryMs: number = usualMemoryMs,
  rate: Rate = async () => new Map(),
): DetailsStore {
  const details = db.collection<DetailsDocument>('vulnerability_details');
  const stored = new LRUCache<string, true>({ max: rememberedIds, ttl: memoryMs });
  const facts = new LRUCache<string, DetailsFacts>({ max: rememberedFacts });
  const texts = new LRUCache<string, PackageDetails>({
    maxSize: rememberedCharacters,
    sizeCalculation: ({ description }) => description.length + otherCharacters,
  });
  const inUse = { ...unmarked, $set: { has_open: true } };

  async function rated(fresh: readonly (readonly [string, PackageDetails])[]) {
    const documents = fresh.map(([id, value]) => toDetailsDocument(id, value));
    const values = await rate(documents.map((one) => ({ ...one, id: one._id })));
    return documents.map((one) => {
      const risk = values.get(one._id);
      return risk ? withRiskValues(one, risk) : one;
    });
  }

  // Details are never changed, so facts in memory are right.
  const readFacts = remembered(facts, (ids, session) =>
    details
      .find({ _id: { $in: ids } }, { session })
      .project<PackageDetails & { _id: string }>(factsProjection)
      .map((document): Entry<DetailsFacts> => [document._id, factsOf(document)]),
  );

  return {
    facts: readFacts,

    async toVulnerabilities(documents, session) {
      const ids = documents.flatMap(({ details_id }) => details_id ?? []);
      const found = await readFacts(ids, session);
      return documents.map((document) => toVulnerability(document, (id) => found.get(id)));
    },

    async save(given) {
      const fresh = [...given].filter(([id]) => !stored.has(id));
      if (fresh.length === 0) return;
      const ids = fresh.map(([id]) => id);
      for (;;) {
        const known = await details.updateMany({ _id: { $in: ids } }, inUse);
        if (known.matchedCount === ids.length) break;
        const documents = await rated(fresh);
        const others = await isAlreadyStored(details.insertMany(documents, { ordered: false }));
        // Retry if details were added or removed in between.
        if (others.size === known.matchedCount) break;
      }
      for (const [id, value] of fresh) {
        stored.set(id, true);
        facts.set(id, factsOf(value));
      }
    },

    async use(ids) {
      const unknown = [...new Set(ids)].filter((id) => !stored.has(id));
      if (unknown.length === 0) return;
      await details.updateMany({ _id: { $in: unknown } }, inUse);
      for (const id of unknown) stored.set(id, true);
    },

    read: remembered(texts, (ids) =>
      details
        .find({ _id: { $in: ids } })
        .project<VulnerabilityDetails & PackageDetails & { _id: string }>(unlistedFields)
        .map(({ _id, ...value }): Entry<PackageDetails> => [_id, value]),
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
