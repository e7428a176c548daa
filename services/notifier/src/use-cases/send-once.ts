import type { Outcome, Target } from '../channels/channel';
import type { Digest } from '../domain/digest';

/** Upper bound for channels that exceed their own, shorter timeout. */
const longestSendMs = 20_000;

/**
 * One bounded attempt. After an abort, `failed` may mean that the message arrived.
 *
 * @param signal ends the attempt early
 */
export async function sendOnce(
  target: Target,
  digest: Digest,
  signal: AbortSignal,
): Promise<Outcome> {
  const bound = AbortSignal.any([signal, AbortSignal.timeout(longestSendMs)]);
  let onAbort: () => void = () => {};
  const late = new Promise<Outcome>((resolve) => {
    onAbort = () => resolve({ kind: 'failed', reason: 'The channel timed out.' });
    bound.addEventListener('abort', onAbort, { once: true });
  });
  try {
    bound.throwIfAborted();
    return await Promise.race([target.send(digest, bound), late]);
  } catch {
    return { kind: 'failed', reason: 'The channel failed unexpectedly.' };
  } finally {
    bound.removeEventListener('abort', onAbort);
  }
}
