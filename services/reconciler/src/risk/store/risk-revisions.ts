import type { RiskRevisions } from '@bomtrail/messages';
import type { Collection } from 'mongodb';
import type { AlertNews } from '../domain/alert-news';

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
export function createRiskRevisions(states: Collection<RiskStateDocument>) {
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
