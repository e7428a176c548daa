import type { Row } from './types';

/**
 * Stored rows in legal states only, as the input of a recomputation; rows that are legal stay the same
 * objects. What is illegal:
 *
 * - a row that says that it was merged without saying into which, or into one that is not there, of
 *   another package, younger than itself, or merged into it: then it stands for itself again;
 * - two rows that stand for one alias of one package: then the oldest one stays and the others point to
 *   it (R4).
 *
 * @param rows all of one line
 */
export function mendRows(rows: readonly Row[]): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const data_status = rows.map((row): Row => {
    if (row.merged_into === null && row.status !== 'merged') return row;
    if (row.merged_into !== null && pointsToLiving(row, byId)) {
      return row.status === 'merged' ? row : { ...row, status: 'merged' };
    }
    return { ...row, status: 'vanished', merged_into: null };
  });
  return uniteDoubles(data_status);
}

function pointsToLiving(row: Row, byId: ReadonlyMap<string, Row>): boolean {
  let at = row;
  while (at.merged_into !== null) {
    const next = byId.get(at.merged_into);
    // Ever older: no circle can close.
    if (!next || next.package_key !== row.package_key || next.id >= at.id) return false;
    at = next;
  }
  return at.status !== 'merged';
}

function uniteDoubles(rows: readonly Row[]): Row[] {
  const byAge = rows
    .filter(({ merged_into }) => merged_into === null)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const holders = new Map<string, Row>();
  const changed = new Map<string, Row>();
  for (const row of byAge) {
    const keys = row.identity.map((alias) => `${row.package_key}\n${alias}`);
    const older = keys.flatMap((key) => holders.get(key) ?? []).sort(byId)[0];
    if (older) {
      changed.set(row.id, { ...row, status: 'merged', merged_into: older.id });
      const grown = changed.get(older.id) ?? older;
      const identity = [...new Set([...grown.identity, ...row.identity])].sort();
      changed.set(older.id, { ...grown, identity });
    }
    for (const key of keys) if (!holders.has(key)) holders.set(key, older ?? row);
  }
  const mended = rows.map((row) => changed.get(row.id) ?? row);
  // What one row took over may be a third one's.
  return changed.size > 0 ? uniteDoubles(mended) : mended;
}

function byId(a: Row, b: Row): number {
  return a.id < b.id ? -1 : 1;
}
