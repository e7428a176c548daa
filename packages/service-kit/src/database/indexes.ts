import type { Db, IndexDescription } from 'mongodb';
import type { Logger } from '../log/logger';
import { awaitLease } from '../work/hold-lease';
import type { Leases } from '../work/lease';

/** The indexes that a store needs, by collection. They stand beside the store that uses them. */
export type IndexPlan = Readonly<Record<string, readonly IndexDescription[]>>;

/** One plan of several stores' plans; several stores may index one collection. */
export function together(...plans: IndexPlan[]): IndexPlan {
  const all: Record<string, IndexPlan[string]> = {};
  for (const plan of plans) {
    for (const [collection, indexes] of Object.entries(plan)) {
      all[collection] = [...(all[collection] ?? []), ...indexes];
    }
  }
  return all;
}

const migrationLease = 'create-indexes';
/** How often a start that is not done says so. */
const patienceMs = 15_000;

/**
 * Creates what is missing, once at a time over all replicas. Resolves when the indexes are there: on a
 * large database of an earlier release after minutes, of which the log tells.
 */
export async function ensureIndexes(
  db: Db,
  plan: IndexPlan,
  deps: { leases: Leases; log: Logger },
): Promise<void> {
  const tenure = await awaitLease(deps, migrationLease);
  let at = '';
  const stillAtIt = setInterval(() => {
    deps.log.info({ collection: at }, 'Making indexes; the service is ready once they are there.');
  }, patienceMs);
  try {
    for (const [collection, indexes] of Object.entries(plan)) {
      at = collection;
      if (indexes.length > 0) await db.collection(collection).createIndexes([...indexes]);
    }
  } finally {
    clearInterval(stillAtIt);
    await tenure.end();
  }
}
