import type { OsvEvent, OsvEventKind, OsvRange } from './record';

/** Orders two versions of one ecosystem; null when one of them is unreadable. */
export type Compare = (a: string, b: string) => -1 | 0 | 1 | null;

/** A change with its position in the record. */
type PositionedChange = Change & { position: number };

export type RangeVerdict = 'yes' | 'no' | 'unknown';

interface Change {
  kind: OsvEventKind;
  version: string;
}

/**
 * Whether a range contains a version. `unknown` when the result depends on an unreadable event or
 * version (M10, M11). Takes ranges of type SEMVER or ECOSYSTEM; the order of events matters for M43
 * only.
 *
 * - M2: the version must be below at least one `limit`; `*`, or none, is no limit.
 * - M3: changes are applied in version order: `introduced` at or below the version turns affected
 *   on, `fixed` at or below it off, `last_affected` below it off. `introduced: "0"` precedes every
 *   version. All changes are applied: there may be several pairs.
 * - M4: at the same version `fixed` precedes `introduced`, and `introduced` precedes
 *   `last_affected`, unless an earlier window is open: then `last_affected` ends that one.
 * - M43: without an open window, `introduced` and then `fixed` at the same version is an empty
 *   window. The record's own order decides: the reverse order opens one.
 * - M11: an unreadable change that could alter the result makes it `unknown`. An unreadable version
 *   (M10) makes every change unreadable except `introduced: "0"`, so only a range without end
 *   contains it.
 *
 * Source: OSV schema, "Evaluation"; the schema leaves ties open.
 */
export function rangeContains(range: OsvRange, version: string, compare: Compare): RangeVerdict {
  const changes = range.events
    .flatMap(changesOf)
    .map((change, position): PositionedChange => ({ ...change, position }));
  const below = belowLimit(changes, version, compare);
  const walked = walk(changes, version, compare);
  if (below === 'no' || walked === 'no') return 'no';
  return below === 'yes' ? walked : 'unknown';
}

/** The schema allows one change per event; each one counts if there are more. */
function changesOf(event: OsvEvent): Change[] {
  return Object.entries(event).map(([kind, version]) => ({ kind: kind as OsvEventKind, version }));
}

function belowLimit(changes: readonly Change[], version: string, compare: Compare): RangeVerdict {
  const limits = changes.filter(({ kind }) => kind === 'limit');
  const orders = limits.map((limit) =>
    limit.version === '*' ? -1 : compare(version, limit.version),
  );
  if (orders.length === 0 || orders.includes(-1)) return 'yes';
  return orders.includes(null) ? 'unknown' : 'no';
}

function walk(
  changes: readonly PositionedChange[],
  version: string,
  compare: Compare,
): RangeVerdict {
  const passed: PositionedChange[] = [];
  const unreadable: Change[] = [];
  for (const change of changes) {
    if (change.kind === 'limit') continue;
    const order = isStart(change) ? -1 : compare(change.version, version);
    if (order === null) unreadable.push(change);
    else if (order < 0 || (order === 0 && change.kind !== 'last_affected')) passed.push(change);
  }
  const affected = affectedAfter(passed, compare);
  const couldChange = unreadable.some(({ kind }) => (kind === 'introduced') !== affected);
  if (couldChange) return 'unknown';
  return affected ? 'yes' : 'no';
}

function affectedAfter(passed: readonly PositionedChange[], compare: Compare): boolean {
  let affected = false;
  for (const lastPositions of changesByVersion(passed, compare)) {
    const wasOpen: boolean = affected;
    const introduced = lastPositions.get('introduced');
    const fixed = lastPositions.get('fixed');
    if (fixed !== undefined) affected = false;
    if (introduced !== undefined) affected = wasOpen || fixed === undefined || introduced > fixed;
    const endsHere = lastPositions.has('last_affected') && !(wasOpen && introduced !== undefined);
    if (endsHere) affected = false;
  }
  return affected;
}

/** The kinds of change at each version with their last positions; versions ascending. */
function changesByVersion(
  changes: readonly PositionedChange[],
  compare: Compare,
): Map<OsvEventKind, number>[] {
  const groups: Map<OsvEventKind, number>[] = [];
  let previous: Change | null = null;
  for (const change of changes.toSorted((a, b) => order(a, b, compare))) {
    const same = previous !== null && order(previous, change, compare) === 0;
    if (!same) groups.push(new Map());
    const positions = groups.at(-1);
    positions?.set(change.kind, Math.max(change.position, positions.get(change.kind) ?? 0));
    previous = change;
  }
  return groups;
}

function order(a: Change, b: Change, compare: Compare): number {
  if (isStart(a) || isStart(b)) return Number(isStart(b)) - Number(isStart(a));
  return compare(a.version, b.version) ?? 0;
}

function isStart({ kind, version }: Change): boolean {
  return kind === 'introduced' && version === '0';
}
