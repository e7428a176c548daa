import { currentAliases, dispose } from './dispose';
import { identify } from './identify';
import { heldBy, type Facts, type Ledger } from './reconcile';
import type { LogEntry, Row, Run } from './types';
import { uniteGroups } from './unite-groups';

/** A line without some entries of its log, as far as it follows from the rows alone. */
export interface Cut {
  head: LogEntry | null;
  rows: Row[];
  /** By row id: the entry that holds the row last now. What the row shows is still that of a later one. */
  toShow: ReadonlyMap<string, LogEntry>;
}

/**
 * R14 The presence of a row in the entries that are left is what its runs say of them, so that taking
 * entries out of the log asks no scan whether it holds the row: runs shrink to the entries that are left,
 * those between which none is left become one, and one without any goes. First and last seen follow.
 *
 * @param log the entries as they were, in order; the rows are right for it
 * @param removed ids of the SBOMs that go
 */
export function cutLog(
  rows: readonly Row[],
  log: readonly LogEntry[],
  removed: ReadonlySet<string>,
): Cut {
  const left = log.filter(({ sbom_id }) => !removed.has(sbom_id));
  const head = left.at(-1) ?? null;
  const toShow = new Map<string, LogEntry>();
  const cut = rows.map((row): Row => {
    if (row.runs.length === 0) return row;
    const stretches = stretchesOf(row.runs, left);
    const first = left[stretches[0]?.first ?? -1];
    const last = left[stretches.at(-1)?.last ?? -1];
    if (!first || !last) {
      return { ...row, runs: [], first_seen_at: null, last_seen: null, shown: null };
    }
    if (last.seq !== lastHeld(row.runs, log)) toShow.set(row.id, last);
    return {
      ...row,
      runs: stretches.map((stretch) => ({
        from: left[stretch.first]?.seq ?? 0,
        to: stretch.last === left.length - 1 ? null : (left[stretch.last]?.seq ?? 0),
      })),
      first_seen_at: first.created_at,
      last_seen: last === head ? null : { sbom_id: last.sbom_id, at: last.created_at },
    };
  });
  return { head, rows: cut, toShow };
}

/**
 * R15 The rows of a cut with what they show now, taken from the scans of the entries that hold them
 * last. Null where these scans are not those that the rows stand on (an advisory change that the rows do
 * not show yet), or where a row may have been united by an entry that went: then only `recompute` is exact.
 *
 * @param facts `observations` has the scans of `cut.toShow`; its rows are not looked at
 */
export function showAgain(facts: Facts, cut: Cut): Ledger | null {
  if (cut.rows.some(standsForMore)) return null;
  const digests = new Set([...cut.toShow.values()].map(({ digest }) => digest));
  const observed = [...digests].flatMap((digest) => facts.observations.get(digest) ?? []);
  const identified = identify(cut.rows, uniteGroups(observed), facts.newId);
  if (identified.reshaped || identified.rows.length > cut.rows.length) return null;
  if (identified.rows.some((row, index) => row !== cut.rows[index])) return null;
  const held = new Map(
    [...digests].map((digest) => [digest, heldBy(facts, digest, identified.rowIdOf)]),
  );
  const rows: Row[] = [];
  for (const row of cut.rows) {
    const entry = cut.toShow.get(row.id);
    const shown = entry ? held.get(entry.digest)?.get(row.id) : row.shown;
    if (shown === undefined) return null;
    rows.push({ ...row, shown });
  }
  const at = { service_id: facts.service_id, now: facts.now };
  return { head: cut.head, rows: dispose(rows, facts.acceptances, at) };
}

/**
 * Does a row stand for aliases that it does not show? Two entries may know its aliases differently, while
 * an advisory change is only in force for one of them, and it may come apart without one of the two.
 */
function standsForMore(row: Row): boolean {
  return row.shown !== null && row.identity.join() !== currentAliases(row).sort().join();
}

/** Stretches of places in the log that runs cover, in order; those that touch are one. */
function stretchesOf(
  runs: readonly Run[],
  log: readonly LogEntry[],
): { first: number; last: number }[] {
  const stretches: { first: number; last: number }[] = [];
  for (const { from, to } of runs) {
    const first = placesBefore(log, from);
    const last = (to === null ? log.length : placesBefore(log, to + 1)) - 1;
    if (first > last) continue;
    const before = stretches.at(-1);
    if (before && before.last === first - 1) before.last = last;
    else stretches.push({ first, last });
  }
  return stretches;
}

/** The sequence number of the entry that held the row last. */
function lastHeld(runs: readonly Run[], log: readonly LogEntry[]): number | undefined {
  return runs.at(-1)?.to ?? log.at(-1)?.seq;
}

/** How many entries of an ordered log come before a sequence number. */
function placesBefore(log: readonly LogEntry[], seq: number): number {
  let [low, high] = [0, log.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((log[middle]?.seq ?? 0) < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}
