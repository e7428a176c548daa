import type { ClientSession, Collection, Document, Filter } from 'mongodb';
import type { RowDocument } from './documents';
import type { Stretch } from './list-plan';

export interface Window {
  skip: number;
  limit: number;
}

type Value = string | number | Date | null | undefined;
/** A row as it stands in its stretch; where only ids are read, the index alone gives it. */
interface Place {
  id: string;
  value: Value;
  document: Document;
}

/** The fields that are read of a row, beside its id. */
export type Fields<Row> = readonly (keyof Row & keyof RowDocument)[];

/**
 * The rows of a page of the stretches, one after the other. Nothing behind the page is looked at. A first
 * page whose index gives the order is read at once; what is before any other page is passed in the index
 * without reading a row.
 */
export async function rowsOfPage<Row extends Pick<RowDocument, '_id'>>(
  rows: Collection<RowDocument>,
  stretches: readonly Stretch[],
  page: { window: Window; session: ClientSession; fields: Fields<Row> },
): Promise<Row[]> {
  const { window, session, fields } = page;
  const projection = Object.fromEntries(fields.map((field) => [field, 1 as const]));
  if (window.skip === 0 && stretches.every(({ isWalk }) => isWalk)) {
    const reader = createReader(rows, session, projection);
    return (await placesOfPage(reader, stretches, window)).map(({ document }) => document as Row);
  }
  const places = await placesOfPage(createReader(rows, session, {}), stretches, window);
  if (places.length === 0) return [];
  const ids = places.map(({ id }) => id);
  const found = await rows
    .find({ _id: { $in: ids } }, { session })
    .project<Row>({ _id: 1, ...projection })
    .toArray();
  const byId = new Map(found.map((row) => [row._id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

async function placesOfPage(
  reader: Reader,
  stretches: readonly Stretch[],
  window: Window,
): Promise<Place[]> {
  const places: Place[] = [];
  let { skip } = window;
  for (const stretch of stretches) {
    const limit = window.limit - places.length;
    const found = await placesOfStretch(reader, stretch, { skip, limit });
    places.push(...found);
    if (places.length === window.limit) break;
    // Behind the last row that was found nothing is left to skip.
    if (found.length > 0) skip = 0;
    else if (skip > 0) skip -= await reader.count(stretch, {}, skip);
  }
  return places;
}

type Reader = ReturnType<typeof createReader>;

/** @param fields what is read beside the id and the value */
function createReader(
  rows: Collection<RowDocument>,
  session: ClientSession,
  fields: Record<string, 1>,
) {
  return {
    async places(
      { where, value, direction, ties, index }: Stretch,
      { skip, limit }: Window,
    ): Promise<Place[]> {
      const byId = ties === 'as-stored' ? 1 : (-direction as 1 | -1);
      const found = await rows
        .find(where, { session, hint: index })
        .project<Document>({ _id: 1, ...fields, ...(value === null ? {} : { [value]: 1 }) })
        .sort({ ...(value === null ? {} : { [value]: direction }), _id: byId })
        .skip(skip)
        .limit(limit)
        .allowDiskUse(true)
        .toArray();
      return found.map((document) => ({
        id: document['_id'] as string,
        value: value === null ? null : (document[value] as Value),
        document,
      }));
    },

    /** How many rows of a stretch there are, at most `limit`. */
    count: ({ where, index }: Stretch, more: Filter<RowDocument>, limit: number) =>
      rows.countDocuments({ $and: [where, more] }, { session, hint: index, limit }),
  };
}

async function placesOfStretch(reader: Reader, stretch: Stretch, window: Window): Promise<Place[]> {
  if (stretch.ties === 'as-stored') return reader.places(stretch, window);
  const { limit, skip } = window;
  const places = await reader.places(stretch, { skip, limit: limit + 1 });
  const behind = places[limit];
  const groups = groupsOf(places.slice(0, limit));
  const ordered: Place[] = [];
  for (const [number, { value, members }] of groups.entries()) {
    const before =
      number === 0 && skip > 0 ? await membersBefore(reader, stretch, { value, skip }) : 0;
    const goesOn = number === groups.length - 1 && behind && isSame(behind.value, value);
    if (before === 0 && !goesOn) ordered.push(...members.reverse());
    else {
      const group = groupOf(stretch, value);
      ordered.push(...(await reader.places(group, { skip: before, limit: members.length })));
    }
  }
  return ordered;
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
function groupsOf(places: readonly Place[]): { value: Value; members: Place[] }[] {
  const groups: { value: Value; members: Place[] }[] = [];
  for (const place of places) {
    const last = groups.at(-1);
    if (last && isSame(last.value, place.value)) last.members.push(place);
    else groups.push({ value: place.value, members: [place] });
  }
  return groups;
}

function isSame(a: Value, b: Value): boolean {
  return a instanceof Date && b instanceof Date ? a.getTime() === b.getTime() : a === b;
}
