import type { Db } from 'mongodb';
import { blankRiskFeed, type RiskFeed, type RiskFeedState } from '../domain/risk-feed-state';
import type { RiskStates, RiskStateStore } from '../ports';

interface RiskStateDocument extends RiskStates {
  _id: 'risk';
}

const empty: RiskStates = { revision: 0, epss: blankRiskFeed, kev: blankRiskFeed };

/** See `RiskStateStore`. */
export function createRiskStateStore(db: Db): RiskStateStore {
  const states = db.collection<RiskStateDocument>('risk_feed_state');

  async function set(feed: RiskFeed, state: RiskFeedState, revision: number): Promise<void> {
    const { [feed]: _, revision: __, ...others } = empty;
    await states.updateOne(
      { _id: 'risk' },
      { $set: { [feed]: state, revision }, $setOnInsert: others },
      { upsert: true },
    );
  }

  return {
    read: async () => (await states.findOne({ _id: 'risk' })) ?? empty,
    set,
    async forgetEdition(feed, fingerprint) {
      const loaded = { _id: 'risk' as const, [`${feed}.fingerprint`]: fingerprint };
      await states.updateOne(loaded, { $set: { [`${feed}.fingerprint`]: null } });
    },
  };
}
