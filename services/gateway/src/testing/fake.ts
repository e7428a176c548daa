import type { ErrorCode, RpcDefinition } from '@bomtrail/messages';
import { AppError } from '@bomtrail/messages';

/** Plays the handler of a request. */
export type Fake = <Body, Response>(
  definition: RpcDefinition<Body, Response>,
  response: (body: Body, attachment: Uint8Array | null) => unknown,
  attachment?: () => Uint8Array,
) => void;

/** Fails a request with the code unless the condition holds. */
export function expectThe(condition: boolean, code: ErrorCode): void {
  if (!condition) throw new AppError(code);
}
