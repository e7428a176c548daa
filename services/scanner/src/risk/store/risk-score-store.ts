import { isDeepStrictEqual } from 'node:util';
import type { RiskScores } from '@bomtrail/messages';
import type { IndexPlan } from '@bomtrail/mongo';
import type { Collection, Db } from 'mongodb';
import type { RiskFeed } from '../domain/risk-feed-state';
import type { RiskScoreStore } from '../ports';

interface RiskScoreDocument extends Pick<RiskScores, RiskFeed> {
  /** The CVE. */
  _id: string;
  /** When the first KEV entry of the CVE was written here; stays (docs/rules.md RK5). */
  exploited_known_at?: Date;
  /** The revision of its last change. */
  revision: number;
}

export const riskScoreIndexes: IndexPlan = { risk_scores: [{ key: { revision: 1, _id: 1 } }] };

const pageSize = 2_000;

type Value = RiskScores[RiskFeed];

/** See `RiskScoreStore`. */
export function createRiskScoreStore(db: Db): RiskScoreStore {
  const scores = db.collection<RiskScoreDocument>('risk_scores');
  return {
    async replace({ feed, values }, revision, { assertHeld }) {
      for (const page of pagesOf([...values])) {
        assertHeld();
        await writePage(scores, { feed, revision }, page);
      }
      const gone = await cvesOutside(scores, feed, values);
      for (const page of pagesOf(gone)) {
        assertHeld();
        await scores.updateMany({ _id: { $in: page } }, { $set: { [feed]: null, revision } });
      }
      // Includes what an interrupted load of the same revision wrote.
      return scores.countDocuments({ revision });
    },

    find: async (cves) => (await scores.find({ _id: { $in: [...cves] } }).toArray()).map(scoresOf),

    async listChanged({ after, upTo, cve }, limit) {
      const changed = { revision: { $gt: after, $lte: upTo }, _id: { $gt: cve } };
      return (await scores.find(changed).sort({ _id: 1 }).limit(limit).toArray()).map(scoresOf);
    },
  };
}

/** Writes the values of a page that differ from the stored ones. */
async function writePage(
  scores: Collection<RiskScoreDocument>,
  { feed, revision }: { feed: RiskFeed; revision: number },
  page: readonly (readonly [string, NonNullable<Value>])[],
): Promise<void> {
  const found = await scores.find({ _id: { $in: page.map(([cve]) => cve) } }).toArray();
  const stored = new Map(found.map((document) => [document._id, document]));
  const changed = page.filter(
    ([cve, value]) => !isDeepStrictEqual(stored.get(cve)?.[feed] ?? null, value),
  );
  if (changed.length === 0) return;
  const now = new Date();
  await scores.bulkWrite(
    changed.map(([cve, value]) => {
      const known = stored.get(cve);
      const isFirst = feed === 'kev' && !known?.exploited_known_at;
      const fields = { [feed]: value, revision, ...(isFirst && { exploited_known_at: now }) };
      return known
        ? { updateOne: { filter: { _id: cve }, update: { $set: fields } } }
        : { insertOne: { document: { _id: cve, epss: null, kev: null, ...fields } } };
    }),
    { ordered: false },
  );
}

/** The CVEs with a stored value of the feed that are not among these. */
async function cvesOutside(
  scores: Collection<RiskScoreDocument>,
  feed: RiskFeed,
  values: ReadonlyMap<string, unknown>,
): Promise<string[]> {
  const gone: string[] = [];
  const stored = scores.find({ [feed]: { $ne: null } }, { projection: { _id: 1 } });
  for await (const { _id } of stored.batchSize(10_000)) if (!values.has(_id)) gone.push(_id);
  return gone;
}

function scoresOf({ _id: cve, epss, kev, exploited_known_at }: RiskScoreDocument): RiskScores {
  return { cve, epss, kev, exploited_known_at: exploited_known_at?.toISOString() ?? null };
}

function* pagesOf<Item>(items: readonly Item[]): Iterable<Item[]> {
  for (let at = 0; at < items.length; at += pageSize) yield items.slice(at, at + pageSize);
}
