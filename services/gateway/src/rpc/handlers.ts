import { deleteProjectData, listExpiringKeys, maxExpiringKeys } from '@bomtrail/messages';
import { handles, type RpcTransport } from '@bomtrail/messaging';
import { forgetProjectKeys, type ManageApiKeysDeps } from '../api-keys/manage-api-keys';

/** Handlers of all requests to the gateway. */
export function gatewayHandlers(
  deps: Pick<ManageApiKeysDeps, 'keys' | 'invalidateKey' | 'now'>,
): RpcTransport[] {
  return [
    handles(listExpiringKeys, async ({ project_id, before }) => {
      const until = { now: deps.now(), before: new Date(before) };
      const found = await deps.keys.expiring(project_id, until, maxExpiringKeys);
      const keys = found.flatMap(({ _id, prefix, name, expires_at }) =>
        expires_at ? [{ id: _id, prefix, name, expires_at: expires_at.toISOString() }] : [],
      );
      return { body: { keys } };
    }),
    handles(deleteProjectData('gateway'), async ({ project_id }) => ({
      body: { more: await forgetProjectKeys(deps, project_id) },
    })),
  ];
}
