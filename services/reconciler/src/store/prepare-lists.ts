import { awaitLease, inTransaction, type Kit } from '@bomtrail/service-kit';
import type { Db, Filter } from 'mongodb';
import { obsoleteAcceptanceIndexes } from './acceptance-store';
import type { ServiceStateDocument } from './documents';
import { addTo, createOpenCounts, isNothing } from './open-counts';

const leaseName = 'count-open-vulnerabilities';
const servicesAtOnce = 100;

/** Indexes of earlier releases, by name: each would cost every write, and serves no question any more. */
const obsoleteIndexes: Record<string, readonly string[]> = {
  tracked_vulnerabilities: [
    'score_sort_-1__id_1',
    'project_id_1_score_sort_-1__id_1',
    'service_id_1',
  ],
  acceptances: obsoleteAcceptanceIndexes,
};

/**
 * Before the lists are answered: what an earlier release has stored is counted, by one process at a
 * time, and its indexes are dropped. Where everything is as it must be, two short reads.
 */
export async function prepareLists(kit: Pick<Kit, 'database' | 'leases' | 'log'>): Promise<void> {
  const tenure = await awaitLease(kit, leaseName);
  try {
    await dropObsolete(kit.database.db);
    await countServiceStates(kit.database);
  } finally {
    await tenure.end();
  }
}

/**
 * Counts the listed rows of the lines that a release without these numbers has written, and brings
 * the sum over all lines to what they say. Each line is right at every moment: it is counted and
 * added in one transaction, on condition that nobody writes to it. Repeating it changes nothing.
 *
 * @returns how many lines were counted anew, one more where the sum was wrong
 */
export async function countServiceStates({ db, client }: Kit['database']): Promise<number> {
  const states = db.collection<ServiceStateDocument>('service_states');
  const counted = createOpenCounts(db);
  const uncounted: Filter<ServiceStateDocument> = {
    version: { $gt: 0 },
    deletion_state: { $exists: false },
    $expr: { $ne: ['$version', '$open_version'] },
  };
  let services = 0;
  for (let last = ''; ;) {
    const found = await states
      .find({ ...uncounted, _id: { $gt: last } })
      .project<{ _id: string }>({ _id: 1 })
      .sort({ _id: 1 })
      .limit(servicesAtOnce)
      .toArray();
    if (found.length === 0) break;
    const ids = found.map(({ _id }) => _id);
    await inTransaction(client, async (session) =>
      counted.add(await counted.recount(ids, session), session),
    );
    services += ids.length;
    last = ids.at(-1) ?? last;
  }
  const wasWrong = await inTransaction(client, async (session) => {
    const difference = await counted.sumOver({}, session);
    addTo(difference, await counted.all(session), -1);
    await counted.add(difference, session);
    return !isNothing(difference);
  });
  return services + (wasWrong ? 1 : 0);
}

async function dropObsolete(db: Db): Promise<void> {
  for (const [collection, obsolete] of Object.entries(obsoleteIndexes)) {
    const names = (await db.collection(collection).indexes()).map(({ name }) => name);
    for (const name of obsolete)
      if (names.includes(name)) await db.collection(collection).dropIndex(name);
  }
}
