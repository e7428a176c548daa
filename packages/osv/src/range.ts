import type { OsvEvent, OsvEventKind, OsvRange } from './record';

/** Orders two versions of one ecosystem; null when it cannot read one of them. */
export type Compare = (a: string, b: string) => -1 | 0 | 1 | null;

/** A change with its place in the record. */
type PositionedChange = Change & { position: number };

export type RangeVerdict = 'yes' | 'no' | 'unknown';

interface Change {
  kind: OsvEventKind;
  version: string;
}

/**
 * Does a range hold a version? `unknown` where an event, or the version itself, cannot be read and
 * the answer hangs on it (rules M10, M11). Takes a range of type SEMVER or ECOSYSTEM; the order of
 * its events does not matter but for M43.
 *
 * - M2: before all else the version must be below at least one `limit`; `*`, or none, is no limit.
 * - M3: then the changes are walked in version order: `introduced` at or below the version turns
 *   affected on, `fixed` at or below it off, `last_affected` below it off. `introduced: "0"` comes
 *   before every version. The walk never stops early: there may be several pairs.
 * - M4: at one and the same version `fixed` comes before `introduced`, and `introduced` before
 *   `last_affected`, except where an earlier window is still open: that one is what ends there.
 * - M43: where no window is open, `introduced` and then `fixed` at one and the same version is a window
 *   that holds nothing. There the record's own order decides: the other way round one begins.
 * - M11: an unreadable change that could still turn the answer makes it `unknown`. An unreadable
 *   version (M10) makes every change unreadable but `introduced: "0"`, so only a range that never
 *   ends holds it.
 *
 * Source: OSV schema, "Evaluation"; the ties are ours, the schema leaves them open.
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

/** The schema allows one change an event; a record that has more in one means each of them. */
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

/** The kinds of change at each version, each with the last place that it has; versions ascending. */
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
