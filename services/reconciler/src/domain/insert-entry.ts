import { identify } from './identify';
import { heldBy, type Facts, type Ledger } from './reconcile';
import { dispose } from './dispose';
import type { LogEntry, Row, Run, Shown } from './types';
import { uniteGroups } from './unite-groups';

/** An entry whose scan ended later than that of one behind it, with its place in the log. */
export interface LateEntry {
  entry: LogEntry;
  /** The sequence number of the entry before it; null: there is none. */
  before: number | null;
  /** That of the one behind it. */
  after: number;
}

/** The place of an entry among those with these sequence numbers, in order; null: none is behind it. */
export function lateEntry(entry: LogEntry, seqs: readonly number[]): LateEntry | null {
  const index = seqs.findIndex((other) => other > entry.seq);
  const after = seqs[index];
  return after === undefined ? null : { entry, before: seqs[index - 1] ?? null, after };
}

/**
 * R17 What an entry that comes late changes follows from the rows and its own scan: whether its
 * neighbours hold a row is what the row's runs say. A run reaches over the entry where it holds what a
 * neighbour holds, and comes apart where it does not hold what both of them do. A row that no later
 * entry holds shows what this one says.
 *
 * @param facts its rows are right for the log without the entry
 * @returns null when identities were reshaped: then `recompute`
 */
export function insertEntry(facts: Facts, head: LogEntry, late: LateEntry): Ledger | null {
  const { entry } = late;
  const observed = facts.observations.get(entry.digest) ?? [];
  const identified = identify(facts.rows, uniteGroups(observed), facts.newId);
  if (identified.reshaped) return null;
  const held = heldBy(facts, entry.digest, identified.rowIdOf);
  const rows = identified.rows.map((row) => withEntry(row, late, held.get(row.id)));
  const at = { service_id: facts.service_id, now: facts.now };
  return { head, rows: dispose(rows, facts.acceptances, at) };
}

function withEntry(row: Row, late: LateEntry, held: Shown | undefined): Row {
  const { entry } = late;
  const runs = runsWith(row.runs, late, held !== undefined);
  if (runs === row.runs) return row;
  const isFirst = runs[0]?.from === entry.seq;
  const isLast = held !== undefined && runs.at(-1)?.to === entry.seq;
  return {
    ...row,
    runs,
    first_seen_at: isFirst ? entry.created_at : row.first_seen_at,
    ...(isLast && { last_seen: { sbom_id: entry.sbom_id, at: entry.created_at }, shown: held }),
  };
}

/** The same runs where the entry changes none. */
function runsWith(runs: Run[], { entry, before, after }: LateEntry, isHeld: boolean): Run[] {
  const { seq } = entry;
  const earlier = runs.find((run) => before !== null && covers(run, before));
  const later = runs.find((run) => covers(run, after));
  if (isHeld && !earlier && !later)
    return [...runs, { from: seq, to: seq }].sort((a, b) => a.from - b.from);
  if (isHeld === (earlier !== undefined && later !== undefined)) return runs;
  return runs.flatMap((run) => {
    if (!isHeld && run === earlier && run === later && before !== null)
      return [
        { ...run, to: before },
        { ...run, from: after },
      ];
    if (isHeld && run === earlier) return [{ ...run, to: seq }];
    if (isHeld && run === later) return [{ ...run, from: seq }];
    return [run];
  });
}

function covers({ from, to }: Run, seq: number): boolean {
  return from <= seq && (to === null || seq <= to);
}
