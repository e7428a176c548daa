import { AppError } from '@bomtrail/messages';
import { asResponse, withTimeout, TimeoutError } from '@bomtrail/service-kit';

/** Longer than any question to the gateway's own database takes; what is behind NATS has 10 seconds. */
const patienceMs = 5_000;

/**
 * Waits for the gateway's own database no longer than a client should.
 *
 * @throws AppError `service_unavailable` when it is away, hangs, or changes its primary; what the work throws
 */
export async function orUnavailable<Value>(work: Promise<Value>, ms = patienceMs): Promise<Value> {
  try {
    return await withTimeout(work, ms);
  } catch (error) {
    throw error instanceof TimeoutError ? new AppError('service_unavailable') : asResponse(error);
  }
}
