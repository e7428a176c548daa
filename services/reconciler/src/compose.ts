import { createKeyedMutex } from '@bomtrail/concurrency';
import { uploadsWaiting } from '@bomtrail/messages';
import { onBroadcast } from '@bomtrail/messaging';
import { createUploadPauses, type Composition, type Kit } from '@bomtrail/service-runtime';
import type { Settings } from './config';
import { reconcilerSubscriptions } from './events/subscriptions';
import { createMetrics } from './metrics';
import { reconcilerHandlers } from './rpc/handlers';
import { createAcceptanceStore } from './decisions/store/acceptance-store';
import { createDetailsGarbage } from './tracking/store/details-garbage';
import { createDetailsStore } from './tracking/store/details-store';
import { createAlertPeriodStore } from './alert-periods/store/alert-period-store';
import { createDeletionStore } from './deletion/store/deletion-store';
import { createServiceStateStore } from './tracking/store/service-state-store';
import { noteStoredVex } from './decisions/store/acceptance-epochs';
import { checkStoreLayout } from './tracking/store/store-layout';
import { storeIndexes } from './store-indexes';
import { createExportStore } from './queries/store/export-store';
import { createGroupStore } from './queries/store/group-store';
import { createBulkStore } from './decisions/store/bulk-store';
import { createRuleStore } from './decisions/store/rule-store';
import { createAcceptedStore } from './decisions/store/accepted-store';
import { createServiceSnapshots } from './queries/store/service-snapshots';
import { createScopeCounts } from './queries/store/scope-counts';
import { createAffectedReader } from './queries/store/affected-reader';
import { createListStore } from './queries/store/list-store';
import { createPlanCache } from './remediations/plan-cache';
import { createOpenPackageStore } from './remediations/store/open-package-store';
import { createRecordStore } from './queries/store/record-store';
import { detailsSweeps, reconcilerSweeps } from './sweeps/sweeps';
import { rateDetails } from './risk/rate-details';
import { createRiskStore } from './risk/store/risk-store';
import { createStatisticsFacts } from './statistics/store/statistics-facts';
import { createStatisticsStore } from './statistics/store/statistics-store';
import { createCoverages } from './statistics/update-statistics';
import { createOwnedRules } from './decisions/owned-rules';
import { createLapses } from './decisions/lapse-expired';
import { createVexFollower } from './vex/follow-service';
import { createVexDocumentStore } from './vex/store/vex-document-store';
import { createVexEvaluationStore } from './vex/store/vex-evaluation-store';
import { createUploadsFirst } from './tracking/yield-to-uploads';
import { createUploadBatches } from './tracking/reconcile-sbom';
import { createScanReader } from './tracking/scan-reader';

/** Builds the reconciler. Refuses a database with another layout. */
export async function compose(kit: Kit, settings: Settings): Promise<Composition> {
  await checkStoreLayout(kit.database.db);
  await noteStoredVex(kit.database.db);
  const graceMs = settings.BOMTRAIL_GARBAGE_GRACE_SECONDS * 1000;
  const memoryMs = graceMs / 4;
  const deletions = createDeletionStore(kit.database);
  const { request } = kit;
  const details = createDetailsStore(kit.database.db, memoryMs, (found) =>
    rateDetails({ request }, found),
  );
  const rules = createRuleStore(kit.database);
  const own = {
    deletions,
    states: createServiceStateStore(kit.database, { details }),
    acceptances: createAcceptanceStore(kit.database),
    snapshots: createServiceSnapshots(kit.database, details),
    details,
    risk: createRiskStore(kit.database.db),
    scans: createScanReader({ request, storeDetails: details.save }, memoryMs),
    metrics: createMetrics(kit.registry),
    lists: createListStore(kit.database, deletions),
    affected: createAffectedReader(kit.database.db, deletions),
    groups: createGroupStore(kit.database, deletions),
    plans: createPlanCache(),
    openPackages: createOpenPackageStore(kit.database, deletions),
    accepted: createAcceptedStore(kit.database.db),
    bulk: createBulkStore(kit.database),
    rules,
    ownedRules: createOwnedRules({ request, rules }),
    leases: kit.leases,
    scopeCounts: createScopeCounts(kit.database),
    exports: createExportStore(kit.database, deletions),
    records: createRecordStore(kit.database, details),
    alertPeriods: createAlertPeriodStore(kit.database, { deletions, details }),
    statistics: createStatisticsStore(kit.database),
    statisticsFacts: createStatisticsFacts(kit.database.db),
    coverages: createCoverages(),
    vexDocuments: createVexDocumentStore(kit.database),
    vexEvaluations: createVexEvaluationStore(kit.database),
    deadLetters: kit.deadLetters,
    request,
    publishOrThrow: kit.publishOrThrow,
    publish: kit.publish,
    publishResult: kit.publishResult,
    withKey: createKeyedMutex(),
    uploadBatches: createUploadBatches(),
    uploadsFirst: createUploadsFirst(),
  };
  const batchedDeps = () => ({
    ...own,
    states: createServiceStateStore(kit.database, { details }),
    acceptances: createAcceptanceStore(kit.database),
  });
  const batched = batchedDeps();
  const uploadPauses = createUploadPauses();
  const vex = createVexFollower({ ...own, batched, withVexKey: createKeyedMutex() });
  const deps = {
    ...own,
    batched,
    vex,
    lapses: createLapses({ ...own, batched, leases: kit.leases }),
  };
  return {
    indexes: storeIndexes,
    rpc: reconcilerHandlers(deps),
    // Uploads and re-scans have separate batches, so that no upload waits for a re-scan.
    events: reconcilerSubscriptions(
      { ...batchedDeps(), publishOrThrow: kit.publishOrThrow, uploadPauses, vex },
      batched,
    ),
    broadcasts: [onBroadcast(uploadsWaiting, uploadPauses.heard)],
    sweeps: [
      ...reconcilerSweeps(deps, kit.log),
      ...detailsSweeps({ garbage: createDetailsGarbage(kit.database.db), graceMs }),
    ],
  };
}
