import type { Outcome, Target } from '../channels/channel';
import type { Digest } from '../domain/digest';

/** A channel has a bound of its own, which is shorter; a channel that breaks it holds up its target no longer than this. */
const longestSendMs = 20_000;

/**
 * One attempt, which ends in a bounded time whatever the channel does. After an abort, failed means that
 * nobody knows whether the message arrived.
 *
 * @param signal ends it early
 */
export async function sendOnce(
  target: Target,
  digest: Digest,
  signal: AbortSignal,
): Promise<Outcome> {
  const bound = AbortSignal.any([signal, AbortSignal.timeout(longestSendMs)]);
  let onAbort: () => void = () => {};
  const late = new Promise<Outcome>((resolve) => {
    onAbort = () => resolve({ kind: 'failed', reason: 'The channel did not answer in time.' });
    bound.addEventListener('abort', onAbort, { once: true });
  });
  try {
    bound.throwIfAborted();
    return await Promise.race([target.send(digest, bound), late]);
  } catch {
    return { kind: 'failed', reason: 'The channel failed in a way that it does not know.' };
  } finally {
    bound.removeEventListener('abort', onAbort);
  }
}
