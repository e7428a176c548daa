import { mergeIndexPlans } from '@bomtrail/mongo';
import { acceptanceIndexes } from './decisions/store/acceptance-store';
import { bulkIndexes } from './decisions/store/bulk-store';
import { ruleIndexes } from './decisions/store/rule-store';
import { deletionIndexes } from './deletion/store/deletion-store';
import { detailsIndexes } from './tracking/store/details-store';
import { vexIndexes } from './vex/store/vex-document-store';
import { statisticsIndexes } from './statistics/store/statistics-store';
import { listIndexes } from './tracking/store/list-indexes';
import { serviceStateIndexes } from './tracking/store/service-state-store';

/** The indexes of all collections. */
export const storeIndexes = mergeIndexPlans(
  serviceStateIndexes,
  acceptanceIndexes,
  bulkIndexes,
  ruleIndexes,
  listIndexes,
  deletionIndexes,
  detailsIndexes,
  statisticsIndexes,
  vexIndexes,
);

/**
 * The shard keys of the collections that grow with the number of services. Every unique index contains the
 * key of its collection, and work on one service names it (docs/operations/scaling.md).
 */
export const shardKeys: Record<string, Record<string, 1 | 'hashed'>> = {
  tracked_vulnerabilities: { service_id: 1 },
  sbom_versions: { service_id: 1 },
  service_states: { _id: 'hashed' },
  vulnerability_details: { _id: 'hashed' },
  acceptances: { project_id: 1 },
  daily_statistics: { project_id: 1 },
};
