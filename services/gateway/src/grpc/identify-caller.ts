import { AppError } from '@bomtrail/messages';
import type { ServerReadableStream } from '@grpc/grpc-js';
import { checkApiKey, type CheckApiKeyDeps } from '../api-keys/check-api-key';
import { bearerKey } from '../api-keys/domain/bearer-key';
import type { Caller } from '../api-keys/domain/caller';
import { clientOf, single } from './call-metadata';

export interface IdentifyCallerDeps extends CheckApiKeyDeps {
  /** Number of trusted proxies in front. */
  proxyHops: number;
}

/** The caller of a call by its key. @throws AppError `missing_api_key` and those of `checkApiKey` */
export async function identifyCaller(
  deps: IdentifyCallerDeps,
  call: Pick<ServerReadableStream<unknown, unknown>, 'metadata' | 'getPeer'>,
): Promise<{ key: string; caller: Caller; address: string | null }> {
  const key = bearerKey(single(call.metadata, 'authorization'));
  if (!key) throw new AppError('missing_api_key');
  const address = clientOf(call, deps.proxyHops);
  return { key, caller: await checkApiKey(deps, { key, address }), address };
}
