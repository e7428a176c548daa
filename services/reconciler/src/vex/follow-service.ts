import { LRUCache } from 'lru-cache';
import type { KeyedMutex } from '@bomtrail/concurrency';
import type { SbomReference } from '@bomtrail/messages';
import { VexDecidesFirst } from '../tracking/plan';
import type { Applying } from '../tracking/reconcile-sbom';
import type { ServiceStateStore } from '../tracking/store/service-state-store';
import type { ChangeDeps } from '../tracking/stored-service';
import { decideService, syncService, type SyncServiceDeps } from './sync-service';
import type { Service } from '../tracking/domain/types';

export interface FollowServiceDeps extends SyncServiceDeps {
  states: Pick<ServiceStateStore, 'state' | 'sbomVersions'>;
  batched: ChangeDeps;
  /** One SBOM of a service at a time; not the mutex of `changeService`. */
  withVexKey: KeyedMutex;
}

/** Projects that are remembered to have documents. */
const rememberedProjects = 10_000;

/**
 * Keeps the decisions of documents in step with the newest SBOM of a service. Projects without documents pay nothing: the
 * change of the service reads with the epoch of its decisions that there are none.
 */
export interface VexFollower {
  /** Applies a scan with the decisions about its SBOM made before, so that nothing is open that a document decides. */
  aroundScan(scan: SbomReference, apply: ApplyScan): Promise<void>;
  /** Removes SBOMs with the decisions about the one that is the newest then made before, for the same reason. */
  aroundRemoval(removal: Removed, remove: () => Promise<void>): Promise<void>;
  /** Follows a change of the newest SBOM. */
  afterChange(service: Service): Promise<void>;
}

type Removed = Service & { sbom_ids: readonly string[] };

type ApplyScan = (how: Applying) => Promise<unknown>;

export function createVexFollower(deps: FollowServiceDeps): VexFollower {
  // A project that had documents once is treated so for good.
  const withDocuments = new LRUCache<string, true>({ max: rememberedProjects });

  async function syncHead({ service_id, project_id }: Service): Promise<void> {
    const state = await deps.states.state(service_id);
    if (state === 'deleted' || !state?.head) return;
    await syncService(deps, { service_id, project_id }, state.head.sbom_id);
  }

  /** Decides about the SBOM that is the newest without these, if the newest is one of them. */
  async function decideNext({ service_id, project_id, sbom_ids }: Removed): Promise<void> {
    const state = await deps.states.state(service_id);
    if (state === 'deleted' || !state?.head || !sbom_ids.includes(state.head.sbom_id)) return;
    const versions = await deps.states.sbomVersions(service_id);
    const next = versions.findLast(({ sbom_id }) => !sbom_ids.includes(sbom_id));
    if (next) await decideService(deps, { service_id, project_id }, next.sbom_id);
  }

  return {
    async aroundScan(scan, apply) {
      if (!withDocuments.has(scan.project_id))
        try {
          await apply({ unlessVex: true });
          return;
        } catch (error) {
          if (!(error instanceof VexDecidesFirst)) throw error;
          withDocuments.set(scan.project_id, true);
        }
      await deps.withVexKey(scan.service_id, async () => {
        const { service_id, project_id } = scan;
        const state = await deps.states.state(service_id);
        const isNewest = state !== 'deleted' && (!state?.head || state.head.seq < scan.seq);
        if (isNewest) await decideService(deps, { service_id, project_id }, scan.sbom_id);
        await apply({ unlessVex: false });
        await syncHead(scan);
      });
    },
    async aroundRemoval(removal, remove) {
      if ((await deps.vexDocuments.revisionOf(removal.project_id)) === 0) return remove();
      await deps.withVexKey(removal.service_id, async () => {
        // If it fails, `syncHead` fails as well, and the removal is not kept waiting.
        await decideNext(removal).catch(() => {});
        await remove();
        await syncHead(removal);
      });
    },
    async afterChange(service) {
      if ((await deps.vexDocuments.revisionOf(service.project_id)) > 0)
        await deps.withVexKey(service.service_id, () => syncHead(service));
    },
  };
}
