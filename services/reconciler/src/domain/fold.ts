import { sameValue } from './same-value';
import type { LogEntry, Row, Run, Shown } from './types';

/** The presence of a line's vulnerabilities after some entries of its log. */
export interface Presence {
  /** The newest entry so far. */
  head: LogEntry | null;
  rows: ReadonlyMap<string, Row>;
}

/**
 * Takes the next entry of the log. Presence is a function of the entries that exist, in the order of
 * their sequence; an open-ended run means that an entry without change rewrites no row.
 *
 * - R7 What the entry holds and what was absent begins a run.
 * - R8 What was present and the entry does not hold ends its run at the entry before.
 * - R9 First seen is the first entry that holds it; last seen is kept once it is no longer present.
 *
 * @param held what the entry shows, by row id
 */
export function takeEntry(
  before: Presence,
  entry: LogEntry,
  held: ReadonlyMap<string, Shown>,
): Presence {
  const rows = new Map(before.rows);
  for (const [id, shown] of held) {
    const row = rows.get(id);
    if (!row) throw new Error(`There is no row ${id} to show.`);
    const present = isPresent(row);
    if (present && sameValue(row.shown, shown)) continue;
    rows.set(id, {
      ...row,
      runs: present ? row.runs : [...row.runs, { from: entry.seq, to: null }],
      first_seen_at: row.first_seen_at ?? entry.created_at,
      last_seen: null,
      shown,
    });
  }
  for (const row of before.rows.values()) {
    if (!isPresent(row) || held.has(row.id) || !before.head) continue;
    rows.set(row.id, {
      ...row,
      runs: endRun(row.runs, before.head.seq),
      last_seen: { sbom_id: before.head.sbom_id, at: before.head.created_at },
    });
  }
  return { head: entry, rows };
}

/** Is the row in the newest entry? */
export function isPresent(row: Row): boolean {
  const last = row.runs.at(-1);
  return last !== undefined && last.to === null;
}

/** A row as if no entry had been taken; its identity stays. */
export function forget(row: Row): Row {
  return { ...row, runs: [], first_seen_at: null, last_seen: null, shown: null };
}

function endRun(runs: readonly Run[], to: number): Run[] {
  return runs.map((run, index) => (index === runs.length - 1 ? { ...run, to } : run));
}
