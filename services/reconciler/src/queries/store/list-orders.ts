import type { SortDirection } from '../../tracking/store/list-indexes';
import type { TrackedVulnerabilityDocument } from '../../tracking/store/documents';
import { compareValues } from '../../tracking/domain/compare-values';

/** A value to sort by; null is missing. */
export type Value = string | number | Date | null;

/** What the order of a vulnerability in a list follows from. */
export type ListEntry = Pick<TrackedVulnerabilityDocument, '_id' | 'project_id'> & {
  details_id?: string | undefined;
  first_seen_at: Date | null;
};

/** The fields of such entries. */
export const entryFields = { details_id: 1, project_id: 1, first_seen_at: 1 } as const;

/**
 * The order of a list by a value of the details: missing values last in both directions; vulnerabilities that
 * sort alike by details, then by project, then from the oldest.
 */
export function byDetailsValue(
  valueOf: (entry: ListEntry) => Value,
  direction: SortDirection,
): (a: ListEntry, b: ListEntry) => number {
  return (a, b) => {
    const [x, y] = [valueOf(a), valueOf(b)];
    if (x === null || y === null) return Number(x === null) - Number(y === null) || byKey(a, b);
    return direction * compareValues(x, y) || byKey(a, b);
  };
}

/** The order of a list by the time; ties follow it, too. */
export function byFirstSeen(direction: SortDirection): (a: ListEntry, b: ListEntry) => number {
  return (a, b) =>
    direction *
    (compareValues(a.first_seen_at ?? 0, b.first_seen_at ?? 0) || -compareValues(a._id, b._id));
}

/** An order by the place of the details; vulnerabilities of the same details as in `byDetailsValue`. */
export function byPlace(
  placeOf: (entry: ListEntry) => number,
): (a: ListEntry, b: ListEntry) => number {
  return (a, b) => placeOf(a) - placeOf(b) || byKey(a, b);
}

function byKey(a: ListEntry, b: ListEntry): number {
  return (
    compareValues(a.details_id ?? '', b.details_id ?? '') ||
    compareValues(a.project_id, b.project_id) ||
    compareValues(a.first_seen_at ?? 0, b.first_seen_at ?? 0) ||
    compareValues(a._id, b._id)
  );
}
