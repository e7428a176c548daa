import { mergeIndexPlans } from '@bomtrail/mongo';
import type { Composition, Kit } from '@bomtrail/service-runtime';
import type { Settings } from './config';
import { catalogSubscriptions } from './events/subscriptions';
import { createMetrics, watchBacklog } from './metrics';
import { catalogHandlers } from './rpc/handlers';
import { createDeletionStore, deletionIndexes } from './store/deletion-store';
import { createGateStore, gateIndexes } from './store/gate-store';
import { createHeadStore } from './store/head-store';
import { createImportStore, importIndexes } from './store/import-store';
import { createNamesRevision } from './store/names-revision';
import { createOwnedServices, ownershipIndexes } from './store/owned-services';
import { createUsageStore, usageIndexes } from './store/usage-store';
import { createServiceStore, serviceIndexes } from './store/service-store';
import { createProjectStore, projectIndexes } from './store/project-store';
import { createReferenceStore, referenceIndexes } from './store/reference-store';
import { createRegistrationStore } from './store/registration-store';
import { createRetentionStore, retentionIndexes } from './store/retention-store';
import { createSbomStore, sbomIndexes } from './store/sbom-store';
import { retentionSweep } from './sweeps/retention-sweep';
import { catalogSweeps } from './sweeps/sweeps';

/** Builds the catalog. */
export function compose(kit: Kit, settings: Settings): Composition {
  const { db } = kit.database;
  const deps = {
    projects: createProjectStore(kit.database),
    services: createServiceStore(kit.database),
    names: createNamesRevision(db),
    heads: createHeadStore(db),
    registrations: createRegistrationStore(kit.database),
    sboms: createSbomStore(db),
    gates: createGateStore(db),
    deletions: createDeletionStore(kit.database),
    imports: createImportStore(db),
    references: createReferenceStore(db),
    usage: createUsageStore(db),
    owned: createOwnedServices(db),
    request: kit.request,
    publish: kit.publish,
    queued: kit.queued,
    broadcast: kit.broadcast,
    tracer: kit.tracer,
    retention: createRetentionStore(db),
    defaultRetention: {
      keep_last: settings.BOMTRAIL_RETENTION_KEEP_LAST ?? null,
      keep_days: settings.BOMTRAIL_RETENTION_KEEP_DAYS ?? null,
    },
    metrics: createMetrics(kit.registry),
  };
  watchBacklog(kit.registry, deps.sboms);
  const everySeconds = settings.BOMTRAIL_RETENTION_INTERVAL_SECONDS;
  return {
    indexes: mergeIndexPlans(
      projectIndexes,
      serviceIndexes,
      sbomIndexes,
      gateIndexes,
      deletionIndexes,
      importIndexes,
      referenceIndexes,
      usageIndexes,
      ownershipIndexes,
      retentionIndexes,
    ),
    rpc: catalogHandlers(deps),
    events: catalogSubscriptions(deps),
    sweeps: [...catalogSweeps(deps, kit.log), retentionSweep(deps, { everySeconds, log: kit.log })],
  };
}
