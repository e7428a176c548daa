import { createKeyedMutex } from '@bomtrail/concurrency';
import {
  createPublish,
  createPublishOrThrow,
  createRequest,
  type BusConnection,
} from '@bomtrail/messaging';
import type { Database } from '@bomtrail/mongo';
import { createOwnedRules } from '../decisions/owned-rules';
import { createRuleStore } from '../decisions/store/rule-store';
import { createAcceptanceStore } from '../decisions/store/acceptance-store';
import { createDetailsStore } from '../tracking/store/details-store';
import { createDeletionStore } from '../deletion/store/deletion-store';
import { createServiceStateStore } from '../tracking/store/service-state-store';
import { createServiceCheckStore } from '../verification/store/service-check-store';
import { createScanReader } from '../tracking/scan-reader';
import type { RepairServiceDeps } from '../verification/repair-service';
import type { VerifyServiceDeps } from '../verification/verify-service';

/** Builds the dependencies of `reconcile`: what the check reads, and what a repair writes. */
export function composeCheck(database: Database, bus: BusConnection) {
  const request = createRequest(bus);
  const publishOrThrow = createPublishOrThrow(bus);
  const checks = createServiceCheckStore(database);
  const details = createDetailsStore(database.db);
  // A check stores nothing.
  const scans = createScanReader({ request, storeDetails: async () => {} });
  const verify: VerifyServiceDeps = { checks, request, scans };
  const repair = {
    checks,
    request,
    scans: createScanReader({ request, storeDetails: details.save }),
    deletions: createDeletionStore(database),
    states: createServiceStateStore(database, { details }),
    acceptances: createAcceptanceStore(database),
    ownedRules: createOwnedRules({ request, rules: createRuleStore(database) }),
    publish: createPublish(bus, publishOrThrow),
    withKey: createKeyedMutex(),
  } satisfies RepairServiceDeps;
  return { verify, repair };
}
