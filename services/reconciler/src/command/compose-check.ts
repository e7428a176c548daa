import { createKeyedMutex } from '@bomtrail/concurrency';
import {
  createPublish,
  createPublishResult,
  createPublishOrThrow,
  createRequest,
  type BusConnection,
} from '@bomtrail/messaging';
import type { Database } from '@bomtrail/mongo';
import { Registry } from 'prom-client';
import { createScanCache } from '../tracking/scan-cache';
import { createMetrics } from '../metrics';
import { createAcceptanceStore } from '../decisions/store/acceptance-store';
import { createDetailsStore } from '../tracking/store/details-store';
import { createDeletionStore } from '../deletion/store/deletion-store';
import { createServiceStateStore } from '../tracking/store/service-state-store';
import { createServiceCheckStore } from '../verification/store/service-check-store';
import { createUploadBatches } from '../tracking/append-uploads';
import { createScanReader } from '../tracking/read-scans';
import type { RepairServiceDeps } from '../verification/repair-service';
import type { VerifyServiceDeps } from '../verification/verify-service';

/** Builds the dependencies of `reconcile`: what the check reads, and what a repair writes. */
export function composeCheck(database: Database, bus: BusConnection) {
  const request = createRequest(bus);
  const publishOrThrow = createPublishOrThrow(bus);
  const checks = createServiceCheckStore(database);
  const details = createDetailsStore(database.db);
  const cacheOf = ({ save }: Pick<typeof details, 'save'>) =>
    createScanCache(createScanReader({ request, storeDetails: save }));
  const verify: VerifyServiceDeps = { checks, request, scans: cacheOf({ save: async () => {} }) };
  const repair = {
    checks,
    request,
    details,
    scans: cacheOf(details),
    deletions: createDeletionStore(database),
    states: createServiceStateStore(database, { details }),
    acceptances: createAcceptanceStore(database),
    metrics: createMetrics(new Registry()),
    publish: createPublish(bus, publishOrThrow),
    publishResult: createPublishResult(bus, publishOrThrow),
    withKey: createKeyedMutex(),
    uploadBatches: createUploadBatches(),
  } satisfies RepairServiceDeps;
  return { verify, repair };
}
