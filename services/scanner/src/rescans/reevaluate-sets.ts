import { AppError } from '@bomtrail/messages';
import type { Logger } from '@bomtrail/telemetry';
import { hasCurrentRules } from '../feeds/domain/feed-state';
import { evaluateAgain, type ScanDeps } from '../matching/scan-component-set';

const setsPerPage = 200;

/**
 * Evaluates the component sets of older rules again, one at a time so that uploads take precedence.
 * Failed sets are left to the next call. Returns the number of sets.
 *
 * @throws Error when `signal` is aborted; the last failure, after all sets were tried
 */
export async function reevaluateSets(
  deps: ScanDeps & { log: Logger },
  signal: AbortSignal,
): Promise<number> {
  if (!hasCurrentRules(await deps.feed.read())) return 0;
  let done = 0;
  let last = '';
  let failure: AppError | null = null;
  for (;;) {
    const digests = await deps.sets.listOlderRules(last, setsPerPage);
    for (const digest of digests) {
      signal.throwIfAborted();
      try {
        await evaluateAgain(deps, digest, 'rules');
        done += 1;
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        failure = error;
        const reason = error.message;
        deps.log.warn(
          { digest, reason },
          'Failed to evaluate a component set by the new matching rules; it will be retried.',
        );
      }
      last = digest;
    }
    if (digests.length < setsPerPage) break;
  }
  if (failure) throw failure;
  return done;
}
