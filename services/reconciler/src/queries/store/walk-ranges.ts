import type { ClientSession, Collection, Document, Filter } from 'mongodb';
import type { TrackedVulnerabilityDocument } from '../../tracking/store/documents';
import type { KeyRange } from './list-plan';

export interface Window {
  skip: number;
  limit: number;
}

type Value = string | number | Date | null | undefined;
/** An entry of a range. If only ids are read, the index alone provides it. */
interface Position {
  id: string;
  value: Value;
  document: Document;
}

/** The fields to read beside the id. */
export type Fields<TrackedVulnerability> = readonly (keyof TrackedVulnerability &
  keyof TrackedVulnerabilityDocument)[];

/**
 * Reads a page over consecutive ranges; nothing beyond the page is read. A first page along an index is read
 * in one query; for later pages, skipped entries are counted in the index only.
 */
export async function vulnerabilitiesOfPage<
  TrackedVulnerability extends Pick<TrackedVulnerabilityDocument, '_id'>,
>(
  vulnerabilities: Collection<TrackedVulnerabilityDocument>,
  ranges: readonly KeyRange[],
  page: { window: Window; session: ClientSession; fields: Fields<TrackedVulnerability> },
): Promise<TrackedVulnerability[]> {
  const { window, session, fields } = page;
  const projection = Object.fromEntries(fields.map((field) => [field, 1 as const]));
  if (window.skip === 0 && ranges.every(({ isWalk }) => isWalk)) {
    const reader = createReader(vulnerabilities, session, projection);
    return (await positionsOfPage(reader, ranges, window)).map(
      ({ document }) => document as TrackedVulnerability,
    );
  }
  const positions = await positionsOfPage(
    createReader(vulnerabilities, session, {}),
    ranges,
    window,
  );
  if (positions.length === 0) return [];
  const ids = positions.map(({ id }) => id);
  const found = await vulnerabilities
    .find({ _id: { $in: ids } }, { session })
    .project<TrackedVulnerability>({ _id: 1, ...projection })
    .toArray();
  const byId = new Map(found.map((vulnerability) => [vulnerability._id, vulnerability]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

async function positionsOfPage(
  reader: Reader,
  ranges: readonly KeyRange[],
  window: Window,
): Promise<Position[]> {
  const positions: Position[] = [];
  let { skip } = window;
  for (const range of ranges) {
    const limit = window.limit - positions.length;
    const found = await positionsOfRange(reader, range, { skip, limit });
    positions.push(...found);
    if (positions.length === window.limit) break;
    // After the first match, everything to be skipped was skipped.
    if (found.length > 0) skip = 0;
    else if (skip > 0) skip -= await reader.count(range, {}, skip);
  }
  return positions;
}

type Reader = ReturnType<typeof createReader>;

/** @param fields fields to read beside id and value */
function createReader(
  vulnerabilities: Collection<TrackedVulnerabilityDocument>,
  session: ClientSession,
  fields: Record<string, 1>,
) {
  return {
    async positions(
      { where, value, direction, ties, index }: KeyRange,
      { skip, limit }: Window,
    ): Promise<Position[]> {
      const byId = ties === 'as-stored' ? 1 : (-direction as 1 | -1);
      const found = await vulnerabilities
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

    /** The number of entries of a range, at most `limit`. */
    count: (
      { where, index }: KeyRange,
      more: Filter<TrackedVulnerabilityDocument>,
      limit: number,
    ) => vulnerabilities.countDocuments({ $and: [where, more] }, { session, hint: index, limit }),
  };
}

async function positionsOfRange(
  reader: Reader,
  range: KeyRange,
  window: Window,
): Promise<Position[]> {
  if (range.ties === 'as-stored') return reader.positions(range, window);
  const { limit, skip } = window;
  const positions = await reader.positions(range, { skip, limit: limit + 1 });
  const pendingUpdates = positions[limit];
  const groups = groupsOf(positions.slice(0, limit));
  const ordered: Position[] = [];
  for (const [number, { value, members }] of groups.entries()) {
    const before =
      number === 0 && skip > 0 ? await membersBefore(reader, range, { value, skip }) : 0;
    const goesOn =
      number === groups.length - 1 && pendingUpdates && isSame(pendingUpdates.value, value);
    if (before === 0 && !goesOn) ordered.push(...members.reverse());
    else {
      const group = groupOf(range, value);
      ordered.push(...(await reader.positions(group, { skip: before, limit: members.length })));
    }
  }
  return ordered;
}

/** The number of entries with this value before the page that starts among them. */
async function membersBefore(
  reader: Reader,
  range: KeyRange,
  { value, skip }: { value: Value; skip: number },
): Promise<number> {
  const operator = range.direction === 1 ? '$lt' : '$gt';
  const less = { [String(range.value)]: { [operator]: value } };
  return skip - (await reader.count(range, less, skip));
}

/** The entries with one value, by id. */
function groupOf(range: KeyRange, value: Value): KeyRange {
  return {
    ...range,
    where: { ...range.where, [String(range.value)]: value },
    value: null,
    direction: 1,
    ties: 'as-stored',
  };
}

/** Adjacent entries with the same value, in order. */
function groupsOf(positions: readonly Position[]): { value: Value; members: Position[] }[] {
  const groups: { value: Value; members: Position[] }[] = [];
  for (const position of positions) {
    const last = groups.at(-1);
    if (last && isSame(last.value, position.value)) last.members.push(position);
    else groups.push({ value: position.value, members: [position] });
  }
  return groups;
}

function isSame(a: Value, b: Value): boolean {
  return a instanceof Date && b instanceof Date ? a.getTime() === b.getTime() : a === b;
}
