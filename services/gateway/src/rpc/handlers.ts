import { deleteProjectData } from '@bomtrail/messages';
import { handles, type RpcTransport } from '@bomtrail/messaging';
import { forgetProjectKeys, type ManageApiKeysDeps } from '../api-keys/manage-api-keys';

/** Handlers of all requests to the gateway. */
export function gatewayHandlers(
  deps: Pick<ManageApiKeysDeps, 'keys' | 'invalidateKey' | 'now'>,
): RpcTransport[] {
  return [
    handles(deleteProjectData('gateway'), async ({ project_id }) => ({
      body: { more: await forgetProjectKeys(deps, project_id) },
    })),
  ];
}
