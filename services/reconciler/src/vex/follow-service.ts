import type { KeyedMutex } from '@bomtrail/concurrency';
import type { SbomReference } from '@bomtrail/messages';
import type { ServiceStateStore } from '../tracking/store/service-state-store';
import type { ChangeDeps } from '../tracking/stored-service';
import type { VexService } from './ports';
import { decideService, syncService, type SyncServiceDeps } from './sync-service';

export interface FollowServiceDeps extends SyncServiceDeps {
  states: Pick<ServiceStateStore, 'state'>;
  batched: ChangeDeps;
  /** One SBOM of a service at a time; not the mutex of `changeService`. */
  withVexKey: KeyedMutex;
}

/**
 * Keeps the decisions of documents in step with the newest SBOM of a service. Projects without documents pay one batched
 * lookup.
 */
export interface VexFollower {
  /** Applies a scan with the decisions about its SBOM made before, so that nothing is open that a document decides. */
  aroundScan(scan: SbomReference, apply: () => Promise<void>): Promise<void>;
  /** Follows a change of the newest SBOM. */
  afterChange(service: VexService): Promise<void>;
}

export function createVexFollower(deps: FollowServiceDeps): VexFollower {
  async function hasDocuments({ project_id }: VexService): Promise<boolean> {
    const [revision = 0] = await deps.vexDocuments.revisionsOf([project_id]);
    return revision > 0;
  }

  async function syncHead({ service_id, project_id }: VexService): Promise<void> {
    const state = await deps.states.state(service_id);
    if (state === 'deleted' || !state?.head) return;
    await syncService(deps, { service_id, project_id }, state.head.sbom_id);
  }

  return {
    async aroundScan(scan, apply) {
      if (!(await hasDocuments(scan))) return apply();
      await deps.withVexKey(scan.service_id, async () => {
        const { service_id, project_id } = scan;
        const state = await deps.states.state(service_id);
        const isNewest = state !== 'deleted' && (!state?.head || state.head.seq < scan.seq);
        if (isNewest) await decideService(deps, { service_id, project_id }, scan.sbom_id);
        await apply();
        await syncHead(scan);
      });
    },
    async afterChange(service) {
      if (await hasDocuments(service))
        await deps.withVexKey(service.service_id, () => syncHead(service));
    },
  };
}
