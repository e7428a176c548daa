import type { ClientSession, Collection, Filter } from 'mongodb';
import type { RowDocument } from './documents';
import type { Stretch } from './list-plan';

export interface Window {
  skip: number;
  limit: number;
}

type Value = string | number | Date | null | undefined;
/** A row as the index alone gives it. */
interface Place {
  id: string;
  value: Value;
}

/**
 * The ids of a page of the stretches, one after the other. Nothing behind the page is looked at, and
 * what is before it is passed in the index without reading a row.
 */
export async function idsOfPage(
  rows: Collection<RowDocument>,
  stretches: readonly Stretch[],
  { window, session }: { window: Window; session: ClientSession },
): Promise<string[]> {
  const reader = createReader(rows, session);
  const ids: string[] = [];
  let { skip } = window;
  for (const stretch of stretches) {
    const limit = window.limit - ids.length;
    const found = await idsOfStretch(reader, stretch, { skip, limit });
    ids.push(...found);
    if (ids.length === window.limit) break;
    // Behind the last row that was found nothing is left to skip.
    if (found.length > 0) skip = 0;
    else if (skip > 0) skip -= await reader.count(stretch, {}, skip);
  }
  return ids;
}

type Reader = ReturnType<typeof createReader>;

function createReader(rows: Collection<RowDocument>, session: ClientSession) {
  return {
    async places(
      { where, value, direction, ties, index }: Stretch,
      { skip, limit }: Window,
    ): Promise<Place[]> {
      const byId = ties === 'as-stored' ? 1 : (-direction as 1 | -1);
      const found = await rows
        .find(where, { session, hint: index })
        .project<Record<string, unknown>>({ _id: 1, ...(value === null ? {} : { [value]: 1 }) })
        .sort({ ...(value === null ? {} : { [value]: direction }), _id: byId })
        .skip(skip)
        .limit(limit)
        .allowDiskUse(true)
        .toArray();
      return found.map((one) => ({
        id: one['_id'] as string,
        value: value === null ? null : (one[value] as Value),
      }));
    },

    /** How many rows of a stretch there are, at most `limit`. */
    count: ({ where, index }: Stretch, more: Filter<RowDocument>, limit: number) =>
      rows.countDocuments({ $and: [where, more] }, { session, hint: index, limit }),
  };
}

async function idsOfStretch(reader: Reader, stretch: Stretch, window: Window): Promise<string[]> {
  if (stretch.ties === 'as-stored') {
    return (await reader.places(stretch, window)).map(({ id }) => id);
  }
  const { limit, skip } = window;
  const places = await reader.places(stretch, { skip, limit: limit + 1 });
  const behind = places[limit];
  const groups = groupsOf(places.slice(0, limit));
  const ids: string[] = [];
  for (const [number, { value, members }] of groups.entries()) {
    const before =
      number === 0 && skip > 0 ? await membersBefore(reader, stretch, { value, skip }) : 0;
    const goesOn = number === groups.length - 1 && behind && isSame(behind.value, value);
    if (before === 0 && !goesOn) ids.push(...members.reverse());
    else {
      const group = groupOf(stretch, value);
      const part = await reader.places(group, { skip: before, limit: members.length });
      ids.push(...part.map(({ id }) => id));
    }
  }
  return ids;
}

/** How many rows with this value stand before the page that begins among them. */
async function membersBefore(
  reader: Reader,
  stretch: Stretch,
  { value, skip }: { value: Value; skip: number },
): Promise<number> {
  const operator = stretch.direction === 1 ? '$lt' : '$gt';
  const less = { [String(stretch.value)]: { [operator]: value } };
  return skip - (await reader.count(stretch, less, skip));
}

/** The rows with one value, by id. */
function groupOf(stretch: Stretch, value: Value): Stretch {
  return {
    ...stretch,
    where: { ...stretch.where, [String(stretch.value)]: value },
    ...{ value: null, direction: 1, ties: 'as-stored' },
  };
}

/** Neighbours with the same value, in their order. */
function groupsOf(places: readonly Place[]): { value: Value; members: string[] }[] {
  const groups: { value: Value; members: string[] }[] = [];
  for (const { id, value } of places) {
    const last = groups.at(-1);
    if (last && isSame(last.value, value)) last.members.push(id);
    else groups.push({ value, members: [id] });
  }
  return groups;
}

function isSame(a: Value, b: Value): boolean {
  return a instanceof Date && b instanceof Date ? a.getTime() === b.getTime() : a === b;
}
