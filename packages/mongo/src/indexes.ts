import type { Db, IndexDescription } from 'mongodb';
import type { Logger } from '@bomtrail/telemetry';
import { awaitLease } from './hold-lease';
import type { Leases } from './lease';

/** Indexes by collection, declared next to the store that uses them. */
export type IndexPlan = Readonly<Record<string, readonly IndexDescription[]>>;

/** Merges the plans of several stores; several may index one collection. */
export function mergeIndexPlans(...plans: IndexPlan[]): IndexPlan {
  const all: Record<string, IndexPlan[string]> = {};
  for (const plan of plans) {
    for (const [collection, indexes] of Object.entries(plan)) {
      all[collection] = [...(all[collection] ?? []), ...indexes];
    }
  }
  return all;
}

const migrationLease = 'create-indexes';
/** Interval of progress logs. */
const progressLogMs = 15_000;

/**
 * Creates missing indexes, one process at a time. Resolves when all exist, which can take minutes on a large
 * database; progress is logged. An index whose key changes needs another name: MongoDB refuses it beside the one
 * that a release before left, which stays.
 */
export async function ensureIndexes(
  db: Db,
  plan: IndexPlan,
  deps: { leases: Leases; log: Logger },
): Promise<void> {
  const tenure = await awaitLease(deps, migrationLease);
  let current = '';
  const progress = setInterval(() => {
    deps.log.info(
      { collection: current },
      'Creating indexes; the service is not ready before they exist.',
    );
  }, progressLogMs);
  try {
    for (const [collection, indexes] of Object.entries(plan)) {
      current = collection;
      if (indexes.length > 0) await db.collection(collection).createIndexes([...indexes]);
    }
  } finally {
    clearInterval(progress);
    await tenure.end();
  }
}
