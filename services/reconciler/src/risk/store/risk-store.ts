import type { RiskRevisions } from '@bomtrail/messages';
import { LRUCache } from 'lru-cache';
import type { Collection, Db } from 'mongodb';
import type { DetailsDocument } from '../../tracking/store/documents';
import { remembered } from '../../tracking/store/remembered';
import type { RatedValues } from '../domain/risk-values';
import { alertNews, type AlertNews } from '../domain/alert-news';
import type { RatedDetails, RiskStore } from '../ports';
import { riskFields } from './risk-fields';

const rememberedValues = 50_000;
/** Values change daily; reads of a page in a row need not repeat the query. */
const rememberedMs = 5_000;
const readAtOnce = 5_000;

/** See `RiskStore`. */
export function createRiskStore(db: Db): RiskStore {
  const states = db.collection<RiskStateDocument>('risk_state');
  const details = db.collection<DetailsDocument>('vulnerability_details');
  const known = new LRUCache<string, RatedValues>({ max: rememberedValues, ttl: rememberedMs });
  const revisions = createRiskRevisions(states);
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
      const stored = await storedValues(details, [...values.keys()]);
      const news = alertNews(stored, values);
      await revisions.whenStored(news, () => writeValues(details, values));
    },

    countInterrupted: revisions.countInterrupted,
    revisions: revisions.read,

    read: remembered(known, (ids) => storedValues(details, ids)),

    async readStored(ids) {
      const stored = await storedValues(details, [...new Set(ids)]);
      for (const [id, values] of stored) known.set(id, values);
      return stored;
    },
  };
}

const readFields = {
  epss_score: 1,
  epss_percentile: 1,
  kev: 1,
  risk: 1,
  exploited_known_at: 1,
} as const;

async function storedValues(
  details: Collection<DetailsDocument>,
  ids: readonly string[],
): Promise<Map<string, RatedValues>> {
  const found = new Map<string, RatedValues>();
  for (let at = 0; at < ids.length; at += readAtOnce) {
    const page = details
      .find({ _id: { $in: ids.slice(at, at + readAtOnce) } })
      .project<RatedValues & { _id: string }>(readFields);
    for await (const { _id, ...value } of page) found.set(_id, value);
  }
  return found;
}

async function writeValues(
  details: Collection<DetailsDocument>,
  values: ReadonlyMap<string, RatedValues>,
): Promise<void> {
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
}

/** How far the scanner's changes are applied, and what alerts read of them. */
export interface RiskStateDocument {
  _id: 'risk';
  revision: number;
  /** See `RiskRevisions`. Absent: 0. */
  alerts?: RiskRevisions;
  /** A write of such values began and was not counted yet: its process may have ended. */
  uncounted?: AlertNews;
}

/**
 * Counts changes that alerts depend on. The notifier reads the counters before the values: they must
 * change after the values are stored, whatever is killed in between. Used by one process at a time.
 */
function createRiskRevisions(states: Collection<RiskStateDocument>) {
  async function count({ kev, epss }: AlertNews): Promise<void> {
    await states.updateOne(
      { _id: 'risk' },
      {
        $inc: { 'alerts.kev': kev ? 1 : 0, 'alerts.epss': epss ? 1 : 0 },
        $unset: { uncounted: true },
      },
    );
  }

  return {
    async read(): Promise<RiskRevisions> {
      const state = await states.findOne({ _id: 'risk' });
      return state?.alerts ?? { kev: 0, epss: 0 };
    },

    /** Stores values and counts their news. */
    async whenStored(news: AlertNews, store: () => Promise<void>): Promise<void> {
      if (!news.kev && !news.epss) return store();
      await states.updateOne(
        { _id: 'risk' },
        { $set: { uncounted: news }, $setOnInsert: { revision: 0 } },
        { upsert: true },
      );
      await store();
      await count(news);
    },

    async countInterrupted(): Promise<void> {
      const state = await states.findOne({ _id: 'risk' });
      if (state?.uncounted) await count(state.uncounted);
    },
  };
}
