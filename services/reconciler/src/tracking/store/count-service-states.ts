import { inTransaction, type Database } from '@bomtrail/mongo';
import type { Filter } from 'mongodb';
import type { ServiceStateDocument } from './documents';
import { createStatusCounts } from './status-counts';

const servicesPerBatch = 100;

/**
 * Counts the open vulnerabilities of services that were stored without counts (generated databases), and
 * corrects the total over all services. Each batch of services is one transaction. Idempotent.
 *
 * @returns the number of services counted, plus one if the total was wrong
 */
export async function countServiceStates({ db, client }: Database): Promise<number> {
  const states = db.collection<ServiceStateDocument>('service_states');
  const counted = createStatusCounts(db);
  const uncounted: Filter<ServiceStateDocument> = {
    version: { $gt: 0 },
    deletion_state: { $exists: false },
    $expr: { $ne: ['$version', '$counted_version'] },
  };
  let services = 0;
  for (let last = ''; ;) {
    const found = await states
      .find({ ...uncounted, _id: { $gt: last } })
      .project<{ _id: string }>({ _id: 1 })
      .sort({ _id: 1 })
      .limit(servicesPerBatch)
      .toArray();
    if (found.length === 0) break;
    const ids = found.map(({ _id }) => _id);
    await inTransaction(client, async (session) =>
      counted.add(await counted.recount(ids, session), session),
    );
    services += ids.length;
    last = ids.at(-1) ?? last;
  }
  const wasWrong = await inTransaction(client, counted.correctTotal);
  return services + (wasWrong ? 1 : 0);
}
