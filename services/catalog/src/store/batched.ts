import { createBatcher } from '@bomtrail/service-kit';

/** Callers that share one question. */
const callersAtOnce = 50;

/** Finds documents by their ids, for many callers at once; gives each caller those of its own that there are. */
export function manyBatched<Found extends { _id: string }>(
  find: (ids: string[]) => Promise<Found[]>,
): (ids: readonly string[]) => Promise<Found[]> {
  return createBatcher<readonly string[], Found[]>(async (callers) => {
    const found = await find([...new Set(callers.flat())]);
    const byId = new Map(found.map((document) => [document._id, document]));
    return callers.map((ids) => ids.flatMap((id) => byId.get(id) ?? []));
  }, callersAtOnce);
}
