import { currentAliases } from './dispose';
import type { Observation, Row, RowStatus } from './types';

/** A row that some list shows. */
export type ListedRow = Row & { status: Exclude<RowStatus, 'merged' | 'vanished'> };

/**
 * How an alias group relates to what its row shows, which is another group until the line is brought up
 * to date: the `same`; `wider`, all of it and more; `other`, without some of it or with nothing of it.
 */
export type Fit = 'same' | 'wider' | 'other';

/**
 * Finds the row of an observation, by any alias that the row stands for or stood for: an advisory that
 * gains a CVE has it before the rows know it. What else the row says may be of another vulnerability,
 * unless its `fit` is the `same`.
 */
export function placesIn(
  rows: readonly Row[],
): (
  observation: Pick<Observation, 'package_key' | 'aliases'>,
) => { row: ListedRow; fit: Fit } | undefined {
  const byAlias = new Map<string, ListedRow>();
  for (const row of rows) {
    const { status } = row;
    if (status === 'merged' || status === 'vanished') continue;
    const listed = { ...row, status };
    for (const alias of row.identity) byAlias.set(`${row.package_key}\n${alias}`, listed);
  }
  return ({ package_key, aliases }) => {
    const group = new Set(aliases.map((alias) => alias.toUpperCase()));
    for (const alias of group) {
      const row = byAlias.get(`${package_key}\n${alias}`);
      if (row) return { row, fit: fitOf(group, row) };
    }
    return undefined;
  };
}

function fitOf(group: ReadonlySet<string>, row: ListedRow): Fit {
  const shown = new Set(currentAliases(row));
  if (shown.size === 0 || [...shown].some((alias) => !group.has(alias))) return 'other';
  return shown.size === group.size ? 'same' : 'wider';
}
