import { createTurns, together, type Composition, type Kit } from '@bomtrail/service-kit';
import { catalogSubscriptions } from './events/subscriptions';
import { catalogAnswers } from './rpc/answers';
import { createDeletionStore, deletionIndexes } from './store/deletion-store';
import { createHolderStore, holderIndexes } from './store/holder-store';
import { createLineStore, lineIndexes } from './store/line-store';
import { createProjectStore, projectIndexes } from './store/project-store';
import { createSbomStore, sbomIndexes } from './store/sbom-store';
import { catalogSweeps } from './sweeps/sweeps';

/** Builds the catalog from what the kit gives. */
export function compose(kit: Kit): Composition {
  const { db } = kit.database;
  const deps = {
    projects: createProjectStore(db),
    lines: createLineStore(kit.database),
    sboms: createSbomStore(db),
    deletions: createDeletionStore(kit.database),
    holders: createHolderStore(db),
    request: kit.request,
    announce: kit.announce,
    queued: kit.queued,
    inTurn: createTurns(),
  };
  return {
    indexes: together(projectIndexes, lineIndexes, sbomIndexes, deletionIndexes, holderIndexes),
    rpc: catalogAnswers(deps),
    events: catalogSubscriptions(deps),
    sweeps: catalogSweeps(deps, kit.log),
  };
}
