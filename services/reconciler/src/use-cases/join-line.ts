import type { SbomReference } from '@bomtrail/messages';
import type { CaughtUp } from '../domain/caught-up';
import { insertEntry, lateEntry } from '../domain/insert-entry';
import { append, recompute, type Facts, type Ledger } from '../domain/reconcile';
import { sameValue } from '../domain/same-value';
import type { LogEntry, Row } from '../domain/types';
import { entryOf } from '../store/ledger-store';
import type { StoredLine } from '../store/write-changes';
import type { LineDeps, LineFacts } from './change-once';
import { scansOf, type ReadScansDeps } from './line-scans';
import type { KeptScan } from './read-scans';

/** A line in memory, while uploads join it one after the other. */
export interface LineState {
  head: LogEntry | null;
  rows: readonly Row[];
  /** What the decision may look at; its rows are those that are stored. */
  facts: LineFacts;
  /** Are all rows at hand? */
  isWhole: boolean;
  /** Sequence numbers of entries from the first neighbour of the first one that comes late; empty: none does. */
  seqs: readonly number[];
  /** Those that have joined. */
  joined: readonly LogEntry[];
  /** The advisory revision that all rows stand on at least; absent: there is no row. */
  revision: number | undefined;
  /** The latest one that any row stands on; absent: not known. */
  newest: number | undefined;
  caughtUp: CaughtUp | undefined;
  /** The findings with which one more SBOM changes no row; null: not known. */
  shows: string | null;
  /** The states that rows had between the stored one and this one, oldest first. */
  passed: ReadonlyMap<string, readonly Row[]>;
}

/** A line as it is stored. */
export function lineBefore(
  stored: StoredLine,
  facts: LineFacts,
  at: Pick<LineState, 'seqs' | 'isWhole'>,
): LineState {
  const { head = null, revision, newest_revision, caught_up } = stored.ledger ?? {};
  return {
    ...{ head, rows: stored.rows, facts, ...at, joined: [], revision },
    ...{ newest: newest_revision, caughtUp: caught_up, shows: facts.shows, passed: new Map() },
  };
}

/** The line with one more entry, whose findings are read. `needs all rows`: those at hand do not suffice. */
export async function joinLine(
  deps: LineDeps & ReadScansDeps,
  state: LineState,
  { scan, read }: { scan: SbomReference; read: KeptScan },
): Promise<LineState | 'needs all rows'> {
  const { head } = state;
  const entry = entryOf(scan);
  const joined = [...state.joined, entry];
  const isNext = head === null || entry.seq > head.seq;
  const shows = isNext ? read.fingerprint() : state.shows;
  const { caughtUp } = state;
  const rest = {
    ...{ joined, seqs: state.seqs.length > 0 ? inOrder([...state.seqs, entry.seq]) : [], shows },
    revision: Math.min(state.revision ?? read.revision, read.revision),
    newest: Math.max(state.newest ?? 0, read.revision),
    caughtUp: caughtUp && read.revision >= caughtUp.revision ? caughtUp : undefined,
  };
  if (isNext && state.shows === shows) return { ...state, ...rest, head: entry };
  if (!state.isWhole) return 'needs all rows';
  const observations = new Map([[scan.digest, read.observations]]);
  const facts = { ...state.facts, rows: state.rows, observations };
  const ledger = isNext
    ? append(facts, head, entry)
    : insertLate(facts, head, { entry, seqs: state.seqs });
  if (ledger) return { ...state, ...rest, ...ledger, passed: passedBy(state, ledger.rows) };
  const whole = await recomputed(deps, { ...state, joined }, scan);
  return { ...state, ...rest, ...whole, passed: passedBy(state, whole.rows) };
}

function insertLate(
  facts: Facts,
  head: LogEntry,
  { entry, seqs }: { entry: LogEntry; seqs: readonly number[] },
): Ledger | null {
  const late = lateEntry(entry, seqs);
  return late && insertEntry(facts, head, late);
}

/** From the whole log, with scans that are no older than what the line shows. */
async function recomputed(deps: LineDeps & ReadScansDeps, state: LineState, scan: SbomReference) {
  const { facts, rows, joined, newest } = state;
  const entries = [...(await deps.ledgers.entries(scan.service_id)), ...joined];
  const digests = entries.map(({ digest }) => digest);
  const { evaluated_revision: evaluated } = scan;
  const atLeast = evaluated === undefined || newest === undefined ? 0 : Math.max(evaluated, newest);
  const scans = await scansOf(deps, digests, { atLeast });
  const { observations, revision } = scans;
  const ledger = recompute({ ...facts, rows, observations }, entries);
  const latest = Math.max(newest ?? 0, scans.newest);
  return { ...ledger, revision, newest: latest, caughtUp: undefined, shows: null };
}

/** What a row showed between what is stored and what it shows now is kept: its episodes follow from it. */
export function passedBy(
  {
    facts,
    rows: before,
    passed,
  }: Pick<LineState, 'rows' | 'passed'> & { facts: Pick<Facts, 'rows'> },
  rows: readonly Row[],
): LineState['passed'] {
  const stored = byId(facts.rows);
  const known = byId(before);
  const more = new Map(passed);
  for (const row of rows) {
    const former = known.get(row.id);
    if (!former || sameValue(former, row)) continue;
    const states = passed.get(row.id) ?? [];
    if (states.length > 0 || !sameValue(stored.get(row.id), former))
      more.set(row.id, [...states, former]);
  }
  return more;
}

function byId(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [row.id, row]));
}

function inOrder(seqs: number[]): number[] {
  return seqs.sort((a, b) => a - b);
}
