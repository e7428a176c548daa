import { AppError } from '@bomtrail/messages';
import { withTimeout, TimeoutError } from '@bomtrail/concurrency';
import { asResponse } from '@bomtrail/messaging';

/** Longer than any query of the gateway's database; calls over NATS have 10 seconds. */
const patienceMs = 5_000;

/**
 * Limits the wait for the gateway's database.
 *
 * @throws AppError `service_unavailable` if it is down, hangs or changes its primary; other errors
 * of the work
 */
export async function orUnavailable<Value>(work: Promise<Value>, ms = patienceMs): Promise<Value> {
  try {
    return await withTimeout(work, ms);
  } catch (error) {
    throw error instanceof TimeoutError ? new AppError('service_unavailable') : asResponse(error);
  }
}
