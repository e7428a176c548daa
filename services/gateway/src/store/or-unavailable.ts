import { AppError } from '@bomtrail/messages';
import { MongoNetworkError, MongoServerSelectionError } from 'mongodb';
import { inTime, TooLate } from './in-time';

/** Longer than any question to the gateway's own database takes; what is behind NATS has 10 seconds. */
const patienceMs = 5_000;

/**
 * Waits for the gateway's own database no longer than a client should.
 *
 * @throws AppError `service_unavailable` when it is away or hangs; what the work throws
 */
export async function orUnavailable<Value>(work: Promise<Value>, ms = patienceMs): Promise<Value> {
  try {
    return await inTime(work, ms);
  } catch (error) {
    const isAway =
      error instanceof TooLate ||
      error instanceof MongoNetworkError ||
      error instanceof MongoServerSelectionError;
    throw isAway ? new AppError('service_unavailable') : error;
  }
}
