import { LRUCache } from 'lru-cache';
import type { Db } from 'mongodb';
import type { DetailsDocument } from '../../tracking/store/documents';
import type { RiskValues } from '../domain/risk-values';
import type { RatedDetails, RiskStore } from '../ports';
import { riskFields } from './risk-fields';

interface RiskStateDocument {
  _id: 'risk';
  revision: number;
}

const remembered = 50_000;
/** Values change daily; reads of a page in a row need not repeat the query. */
const rememberedMs = 5_000;
const readAtOnce = 5_000;

/** See `RiskStore`. */
export function createRiskStore(db: Db): RiskStore {
  const states = db.collection<RiskStateDocument>('risk_state');
  const details = db.collection<DetailsDocument>('vulnerability_details');
  const known = new LRUCache<string, RiskValues>({ max: remembered, ttl: rememberedMs });
  const projection = { alias_keys: 1, score_sort: 1, has_fix: 1 };
  const rated = ({ _id, alias_keys, score_sort, has_fix }: DetailsDocument): RatedDetails => ({
    id: _id,
    alias_keys,
    score_sort,
    has_fix,
  });

  return {
    revision: async () => (await states.findOne({ _id: 'risk' }))?.revision ?? 0,

    async setRevision(revision) {
      await states.updateOne({ _id: 'risk' }, { $set: { revision } }, { upsert: true });
    },

    async naming(cves) {
      const found = details.find({ alias_keys: { $in: [...cves] } }, { projection });
      return (await found.toArray()).map(rated);
    },

    async pending(limit) {
      const found = details.find({ risk_pending: true }, { projection }).limit(limit);
      return (await found.toArray()).map(rated);
    },

    async write(values) {
      if (values.size === 0) return;
      await details.bulkWrite(
        [...values].map(([_id, one]) => {
          const { missing, ...fields } = riskFields(one);
          const flags = Object.entries(missing).map(([name, is]) => [`missing.${name}`, is]);
          const $set = { ...fields, ...Object.fromEntries(flags) };
          return {
            updateOne: { filter: { _id }, update: { $set, $unset: { risk_pending: true } } },
          };
        }),
        { ordered: false },
      );
    },

    async read(ids) {
      const found = new Map<string, RiskValues>();
      const missing: string[] = [];
      for (const id of new Set(ids)) {
        const value = known.get(id);
        if (value) found.set(id, value);
        else missing.push(id);
      }
      for (let at = 0; at < missing.length; at += readAtOnce) {
        const page = details
          .find({ _id: { $in: missing.slice(at, at + readAtOnce) } })
          .project<RiskValues & { _id: string }>(readFields);
        for await (const { _id, ...value } of page) {
          known.set(_id, value);
          found.set(_id, value);
        }
      }
      return found;
    },
  };
}

const readFields = { epss_score: 1, epss_percentile: 1, kev: 1, risk: 1 } as const;
