import { isPresent } from './fold';
import type { Coverer, Row, RowStatus } from './types';

/**
 * The state of a row: presence by the log, disposition by the acceptances.
 *
 * - R10 In the newest entry: `open`, or `accepted` when an acceptance covers it now.
 * - R11 In an earlier entry that still exists, but not in the newest: `fixed`.
 * - R12 In no entry that exists: `vanished`; only its identity is kept.
 */
export function statusOf(row: Row, covered: boolean): RowStatus {
  if (row.merged_into !== null) return 'merged';
  if (row.runs.length === 0) return 'vanished';
  if (!isPresent(row)) return 'fixed';
  return covered ? 'accepted' : 'open';
}

/**
 * R13 An acceptance covers every row whose alias group, as it is now, meets the ids that it was given
 * for, in its scope (the project, or one service), until it expires. What the row stood for in the
 * past does not count: a corrected alias must not hide another vulnerability.
 */
export function covers(
  coverer: Coverer,
  row: Row,
  at: { service_id: string; now: string },
): boolean {
  if (coverer.service_id !== null && coverer.service_id !== at.service_id) return false;
  if (coverer.expires_at !== null && coverer.expires_at <= at.now) return false;
  const now = currentAliases(row);
  return coverer.identity.some((alias) => now.includes(alias));
}

/** Rows with their states; a row that does not change is the same object. */
export function dispose(
  rows: Iterable<Row>,
  coverers: readonly Coverer[],
  at: { service_id: string; now: string },
): Row[] {
  const ofAlias = new Map<string, Coverer[]>();
  for (const coverer of coverers) {
    for (const alias of coverer.identity) {
      const same = ofAlias.get(alias);
      if (same) same.push(coverer);
      else ofAlias.set(alias, [coverer]);
    }
  }
  const isCovered = (row: Row): boolean =>
    currentAliases(row).some((alias) =>
      ofAlias.get(alias)?.some((coverer) => covers(coverer, row, at)),
    );
  return Array.from(rows, (row) => {
    const status = statusOf(row, isCovered(row));
    return status === row.status ? row : { ...row, status };
  });
}

/** The alias group that a row shows, in upper case. */
export function currentAliases(row: Pick<Row, 'shown'>): string[] {
  return row.shown ? row.shown.aliases.map((alias) => alias.toUpperCase()) : [];
}
