import { AppError } from '@bomtrail/messages';
import type { ServerReadableStream } from '@grpc/grpc-js';
import { checkCaller, type CheckCallerDeps } from '../access/check-caller';
import { bearerKey } from '../api-keys/domain/bearer-key';
import type { Caller } from '../api-keys/domain/caller';
import { clientOf, single } from './call-metadata';

export interface IdentifyCallerDeps extends CheckCallerDeps {
  /** Number of trusted proxies in front. */
  proxyHops: number;
}

/** The caller of a call by its key or token. @throws AppError `missing_api_key` and those of `checkCaller` */
export async function identifyCaller(
  deps: IdentifyCallerDeps,
  call: Pick<ServerReadableStream<unknown, unknown>, 'metadata' | 'getPeer'>,
): Promise<{ key: string; caller: Caller; address: string | null }> {
  const key = bearerKey(single(call.metadata, 'authorization'));
  if (!key) throw new AppError('missing_api_key');
  const address = clientOf(call, deps.proxyHops);
  const credentials = { kind: 'bearer', text: key } as const;
  return { key, caller: await checkCaller(deps, { credentials, address }), address };
}
