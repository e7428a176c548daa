import { deleteProjectData } from '@bomtrail/messages';
import { handles, type RpcTransport } from '@bomtrail/service-kit';
import { forgetProjectKeys, type ManageApiKeysDeps } from '../use-cases/manage-api-keys';

/** Every question that the gateway answers. */
export function gatewayHandlers(
  deps: Pick<ManageApiKeysDeps, 'keys' | 'forgetKey' | 'now'>,
): RpcTransport[] {
  return [
    handles(deleteProjectData('gateway'), async ({ project_id }) => ({
      body: { more: await forgetProjectKeys(deps, project_id) },
    })),
  ];
}
