/** A group that is opened, and how many lines it shows below its own. */
export interface OpenGroup {
  group: number;
  rows: number;
}

/** One line of the grouped list: a group, or a row of an open one. Both count from 0. */
export type GroupLine =
  | { kind: 'group'; group: number }
  | { kind: 'row'; group: number; row: number };

/** How many lines `groups` groups have. */
export function countLines(groups: number, open: readonly OpenGroup[]): number {
  return open.reduce((lines, { rows }) => lines + rows, groups);
}

/**
 * What stands in a line.
 *
 * @param open ascending by group
 */
export function lineAt(index: number, open: readonly OpenGroup[]): GroupLine {
  let rowsAbove = 0;
  for (const { group, rows } of open) {
    const own = group + rowsAbove;
    if (index <= own) break;
    if (index <= own + rows) return { kind: 'row', group, row: index - own - 1 };
    rowsAbove += rows;
  }
  return { kind: 'group', group: index - rowsAbove };
}
