import { forgetProject } from '@bomtrail/messages';
import { answers, type RpcDoor } from '@bomtrail/service-kit';
import { forgetProjectKeys, type ManageApiKeysDeps } from '../use-cases/manage-api-keys';

/** Every question that the gateway answers. */
export function gatewayAnswers(
  deps: Pick<ManageApiKeysDeps, 'keys' | 'forgetKey' | 'now'>,
): RpcDoor[] {
  return [
    answers(forgetProject('gateway'), async ({ project_id }) => ({
      body: { more: await forgetProjectKeys(deps, project_id) },
    })),
  ];
}
