import type { RpcDefinition } from '@bomtrail/messages';
import { handles, type RpcTransport } from '@bomtrail/messaging';

/** Binds a request to a use case whose result is the answer. */
export function answers<Body, Response>(
  definition: RpcDefinition<Body, Response>,
  useCase: (body: Body, attachment: Uint8Array | null) => Promise<Response>,
): RpcTransport {
  return handles(definition, async (body, attachment) => ({
    body: await useCase(body, attachment),
  }));
}
