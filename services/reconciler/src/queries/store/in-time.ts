import { AppError } from '@bomtrail/messages';
import { MongoServerError } from 'mongodb';

/** Milliseconds for one query of a filtered list (docs/vulnerabilities.md). */
export const filterTimeMs = 10_000;

const exceededTimeLimit = 50;

/**
 * Bounds a query whose cost grows with what a filter selects.
 *
 * @throws AppError `service_unavailable`, with what to narrow, instead of an answer that is not complete
 */
export async function inTime<Result>(
  query: (limit: { maxTimeMS: number }) => Promise<Result>,
  maxTimeMS = filterTimeMs,
): Promise<Result> {
  try {
    return await query({ maxTimeMS });
  } catch (error) {
    if (!(error instanceof MongoServerError) || error.code !== exceededTimeLimit) throw error;
    throw new AppError(
      'service_unavailable',
      'The filter selects too many vulnerabilities to count them in time: add project_id, service_id, package_name or severity.',
    );
  }
}
