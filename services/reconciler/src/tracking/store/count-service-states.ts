import { inTransaction, type Database } from '@bomtrail/mongo';
import { countedStatuses } from './count-keys';
import type { TrackedVulnerabilityDocument } from './documents';
import { createStatusCounts } from './status-counts';

/**
 * Counts the vulnerabilities of all services, and their total, from what is stored. For generated databases: every
 * change of a service keeps its counts up to date.
 */
export async function countServiceStates({ db, client }: Database): Promise<void> {
  const vulnerabilities = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');
  const ofStatus = { $concat: ['$_id.status', '_', '$_id.severity'] };
  // As `countKey`.
  const key = { $cond: [{ $eq: ['$_id.status', 'open'] }, '$_id.severity', ofStatus] };
  const pipeline = [
    { $match: { status: { $in: [...countedStatuses] }, severity: { $exists: true } } },
    {
      $group: {
        _id: { service: '$service_id', status: '$status', severity: '$severity' },
        count: { $sum: 1 },
      },
    },
    { $group: { _id: '$_id.service', counts: { $push: { k: key, v: '$count' } } } },
    { $set: { counts: { $arrayToObject: '$counts' } } },
    { $merge: { into: 'service_states', whenNotMatched: 'discard' } },
  ];
  await vulnerabilities.aggregate(pipeline).toArray();
  await inTransaction(client, createStatusCounts(db).correctTotal);
}
