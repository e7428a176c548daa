import type { LogEntry, Row } from '../domain/types';
import type { LineChange, StoredLine } from './write-changes';

const order: readonly Row['status'][] = ['open', 'accepted', 'fixed', 'vanished', 'merged'];

/**
 * A change of a line in parts of at most `rowsAtOnce` rows, to be written in this order, each in a
 * transaction of its own. What is stored between two of them can be read:
 *
 * - Every row is as it was before, or as it will be, and stands on entries that the log holds: those that
 *   join come with the first part, those that leave go with the last one.
 * - What is shown afterwards comes first, before what is gone then, so that nothing is missing meanwhile
 *   that stays.
 * - The ledger says that rows are behind, and nothing that is only true of all of them.
 *
 * One part where that suffices.
 */
export function splitChange(
  before: StoredLine,
  change: LineChange,
  rowsAtOnce: number,
): LineChange[] {
  if (change.rows.length <= rowsAtOnce) return [change];
  const rows = order.flatMap((status) => change.rows.filter((row) => row.status === status));
  const joining = change.log.filter((entry) => !('removed' in entry));
  const leaving = change.log.filter((entry) => 'removed' in entry);
  const partial: LineChange = {
    ...change,
    head: later(before.ledger?.head ?? null, change.head),
    revision: before.ledger?.revision ?? 0,
    behind: change.behind ?? { leaving: leaving.map(({ _id }) => _id) },
    ...{ log: [], joins: [], shows: undefined, caughtUp: undefined },
  };
  const parts: LineChange[] = [];
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    const isFirst = from === 0;
    const isLast = from + rowsAtOnce >= rows.length;
    parts.push({
      ...(isLast ? change : partial),
      rows: rows.slice(from, from + rowsAtOnce),
      log: [...(isFirst ? joining : []), ...(isLast ? leaving : [])],
      joins: isFirst ? change.joins : [],
    });
  }
  return parts;
}

/** The head as long as both the entries of before and those of afterwards are in the log. */
function later(before: LogEntry | null, after: LogEntry | null): LogEntry | null {
  return before && (!after || before.seq > after.seq) ? before : after;
}
