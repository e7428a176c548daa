import { createBatcher } from '@bomtrail/concurrency';

/** Callers per query. */
const callersAtOnce = 50;

/**
 * Finds documents by id for concurrent callers in one query; each gets the existing ones of its
 * own.
 */
export function manyBatched<Found extends { _id: string }>(
  find: (ids: string[]) => Promise<Found[]>,
): (ids: readonly string[]) => Promise<Found[]> {
  const inBatch = createBatcher<readonly string[], Found[]>(async (callers) => {
    const found = await find([...new Set(callers.flat())]);
    const byId = new Map(found.map((document) => [document._id, document]));
    return callers.map((ids) => ids.flatMap((id) => byId.get(id) ?? []));
  }, callersAtOnce);
  return async (ids) => (ids.length === 0 ? [] : inBatch(ids));
}
