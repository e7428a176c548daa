import type { Db, IndexDescription } from 'mongodb';
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
const leaseSeconds = 60;

/** Creates what is missing, once at a time over all replicas. Resolves when the indexes are there. */
export async function ensureIndexes(db: Db, plan: IndexPlan, leases: Leases): Promise<void> {
  for (;;) {
    const lease = await leases.acquire(migrationLease, leaseSeconds);
    if (lease) {
      try {
        for (const [collection, indexes] of Object.entries(plan)) {
          if (indexes.length > 0) await db.collection(collection).createIndexes([...indexes]);
        }
      } finally {
        await lease.release();
      }
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
