import * as messages from '@bomtrail/messages';
import { answers, handles, type RpcTransport } from '@bomtrail/messaging';
import {
  deleteProjectFor,
  deleteServiceFor,
  type DeletionDeps,
} from '../deletion/delete-for-deleted';
import type { ReconcileSbomDeps } from '../tracking/reconcile-sbom';
import { removeSboms } from '../tracking/remove-sbom';
import type { ServiceStateStore } from '../tracking/store/service-state-store';
import type { VexFollower } from '../vex/follow-service';

export type RemovalHandlersDeps = ReconcileSbomDeps &
  DeletionDeps & { states: Pick<ServiceStateStore, 'expire'>; vex: VexFollower };

/** SBOMs that are deleted or expire, and all data of a service or project. */
export function removalHandlers(deps: RemovalHandlersDeps): RpcTransport[] {
  return [
    handles(messages.removeSbom, ({ sbom_id, ...of }) =>
      removed(deps, { ...of, sbom_ids: [sbom_id] }),
    ),
    handles(messages.removeSboms, (removal) => removed(deps, removal)),
    handles(messages.expireSboms, async ({ service_id, sbom_ids }) => {
      await deps.states.expire(service_id, sbom_ids);
      return { body: { expired: true } };
    }),
    answers(messages.deleteProjectData('reconciler'), (body) => deleteProjectFor(deps, body)),
    answers(messages.deleteServiceData, (body) => deleteServiceFor(deps, body)),
  ];
}

async function removed(
  deps: RemovalHandlersDeps,
  { finished = false, ...some }: messages.RequestOf<typeof messages.removeSboms>,
): Promise<{ body: { removed: true } }> {
  const removal = { ...some, finished };
  await deps.vex.aroundRemoval(removal, () => removeSboms(deps, removal));
  return { body: { removed: true } };
}
