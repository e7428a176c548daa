import { AppError } from '@bomtrail/messages';
import {
  MongoServerError,
  type AggregateOptions,
  type Collection,
  type Document,
  type Filter,
  type FindOptions,
} from 'mongodb';

/** Milliseconds for one query of a filtered list (docs/vulnerabilities.md). */
const filterTimeMs = 10_000;
/** As many as one reply can hold. */
const batchSize = 10_000;

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

/** All that a query finds, `inTime`. */
export function findInTime<Stored extends Document, Found>(
  collection: Collection<Stored>,
  where: Filter<Stored>,
  options: FindOptions,
): Promise<Found[]> {
  return inTime((limit) =>
    collection.find<Found & Document>(where, { batchSize, ...limit, ...options }).toArray(),
  );
}

/** All that an aggregation gives, `inTime`. */
export function aggregateInTime<Result extends Document>(
  collection: Pick<Collection, 'aggregate'>,
  pipeline: Document[],
  options: AggregateOptions,
): Promise<Result[]> {
  return inTime((limit) =>
    collection.aggregate<Result>(pipeline, { batchSize, ...limit, ...options }).toArray(),
  );
}
