import { setTimeout as sleep } from 'node:timers/promises';
import { vulnerabilityChanged } from '@bomtrail/messages';
import { currentTraceparent } from '@bomtrail/service-kit';
import { v7 as newId } from 'uuid';
import { append, recompute, type Facts } from '../domain/reconcile';
import { sameValue } from '../domain/same-value';
import { TooLargeAtOnce } from '../domain/too-large';
import type { LogEntry, Observation, Row } from '../domain/types';
import type { LedgerDocument, LogDocument } from '../store/documents';
import { logEntry, type SaveOutcome } from '../store/ledger-store';
import {
  acceptancesInForce,
  changeOnce,
  coverer,
  disposeAgain,
  type Decide,
  type LineDeps,
  type LineToChange,
  type LogChange,
} from './change-once';
import { passedBy } from './join-line';
import { partsOf } from './read-finding-pages';
import { readFolded } from './read-scans';

type Line = Pick<LineToChange, 'service_id' | 'project_id'>;

/** Entries that have just joined the end of a log, and what its end was: before, rows were as of `head`. */
interface Appended {
  head: LogEntry | null;
  entries: readonly LogEntry[];
}

/** One part at a time in the process, whichever line it is of: this bounds their memory. */
const turn = 'a part of a large change';
/** Between two parts the database and the cores are left to others as long as the part took, at most this. */
const longestRestMs = 1_000;

/**
 * Changes a line whose findings or rows are too many to be in memory. Rows and findings of one package
 * depend on those of no other one. So first the log is changed and the ledger says that rows are behind,
 * then the packages are brought to the log, some after the other (ADR 0035). A change of some packages, and
 * one that only looks at the acceptances, is as many smaller ones.
 */
export async function changeInParts(
  deps: LineDeps,
  at: LineToChange,
  decide: Decide,
): Promise<'changed' | 'forgotten'> {
  const { service_id, project_id, packages } = at;
  if (packages && packages.length > 0) {
    const outcome = await changeEach(deps, at, decide).catch((error: unknown) => {
      // Some packages did not suffice.
      if (error instanceof TooLargeAtOnce && at.changeOfLog) return null;
      throw error;
    });
    if (outcome) return outcome;
  }
  for (;;) {
    const ledger = await deps.ledgers.ledger(service_id);
    if (ledger === 'forgotten') return ledger;
    const isBehind = ledger?.pending_updates !== undefined;
    const change = isBehind ? null : await at.changeOfLog?.(ledger);
    if (change) {
      const begun = await beginChange(deps, { service_id, project_id }, { ledger, change });
      if (begun === 'forgotten') return begun;
      if (begun === 'lost') continue;
    }
    const appended = change ? appendedBy(ledger, change) : undefined;
    if ((await finishInParts(deps, at, appended)) === 'forgotten') return 'forgotten';
    if (isBehind) continue;
    // The process that wrote may have ended before it looked at the acceptances.
    return change ? 'changed' : changeEach(deps, { service_id, project_id }, disposeAgain);
  }
}

async function partInTurn<Result>(deps: LineDeps, work: () => Promise<Result>): Promise<Result> {
  return deps.withKey(turn, async () => {
    const begin = performance.now();
    const result = await work();
    await sleep(Math.min(longestRestMs, performance.now() - begin));
    return result;
  });
}

/** The same decision over some packages after the other, each a change of its own. */
async function changeEach(
  deps: LineDeps,
  { service_id, project_id, packages }: LineToChange,
  decide: Decide,
): Promise<'changed' | 'forgotten'> {
  const counts = await deps.ledgers.packageCounts(service_id);
  const scope = packages && new Map(packages.map((key) => [key, counts.get(key) ?? 0]));
  const also = { rows: scope ?? counts, most: deps.ledgers.rowsRead };
  const { parts } = await partsOf(deps.request, [], also);
  for (const part of parts) {
    for (;;) {
      const own = { service_id, project_id, packages: part };
      const outcome = await partInTurn(deps, () => changeOnce(deps, own, decide));
      if (outcome === 'forgotten') return outcome;
      if (outcome !== 'behind') break;
      if ((await finishInParts(deps, { service_id, project_id })) === 'forgotten')
        return 'forgotten';
    }
  }
  return 'changed';
}

/** Changes the log, and notes that the rows do not follow from it yet. */
function beginChange(
  { ledgers }: LineDeps,
  { service_id, project_id }: Line,
  { ledger, change }: { ledger: LedgerDocument | null; change: LogChange },
): Promise<SaveOutcome> {
  const { joins, leaving, tombstones } = change;
  const entries = [...joins.flatMap(logEntry), ...(ledger?.head ? [ledger.head] : [])];
  return ledgers.save(
    { ledger, rows: [] },
    {
      ...{ service_id, project_id, rows: [], log: tombstones, joins },
      head: entries.sort((a, b) => a.seq - b.seq).at(-1) ?? null,
      revision: ledger?.revision ?? 0,
      behind: { leaving: [...leaving] },
    },
  );
}

/** Nothing where entries come before others, or go: then rows follow from the whole log only. */
function appendedBy(
  ledger: LedgerDocument | null,
  { joins, leaving }: LogChange,
): Appended | undefined {
  const head = ledger?.head ?? null;
  const entries = joins.flatMap(logEntry).sort((a, b) => a.seq - b.seq);
  const isNext = entries.every(({ seq }) => head === null || seq > head.seq);
  return leaving.length === 0 && entries.length > 0 && isNext ? { head, entries } : undefined;
}

/**
 * Brings the rows of a line that are behind to its log without what leaves it, some packages after the
 * other: whoever takes this while others are at it goes on where they are.
 */
export async function finishInParts(
  deps: LineDeps,
  { service_id, project_id }: Line,
  appended?: Appended,
): Promise<'finished' | 'forgotten'> {
  const line = { service_id, project_id };
  const epoch = await deps.acceptances.epoch(project_id);
  let hint = appended;
  for (;;) {
    const ledger = await deps.ledgers.ledger(service_id);
    if (ledger === 'forgotten') return ledger;
    if (!ledger?.pending_updates) return 'finished';
    const outcome = await finishOnce(deps, line, { ledger, appended: hint });
    if (outcome === 'forgotten') return outcome;
    hint = undefined;
    if (outcome === 'lost') continue;
    const now = await deps.ledgers.ledger(service_id);
    const state_version = now && now !== 'forgotten' ? now.version : ledger.version;
    void deps.announce(vulnerabilityChanged, { ...line, state_version });
    if ((await deps.acceptances.epoch(project_id)) === epoch) return 'finished';
    const again = await changeEach(deps, line, disposeAgain);
    return again === 'forgotten' ? again : 'finished';
  }
}

/** What a line whose rows are behind is brought to. */
interface Finishing {
  ledger: LedgerDocument;
  leaving: ReadonlySet<string>;
  entries: readonly LogEntry[];
  appended: Appended | undefined;
}

async function finishOnce(
  deps: LineDeps,
  line: Line,
  from: Pick<Finishing, 'ledger' | 'appended'>,
): Promise<SaveOutcome> {
  const { service_id } = line;
  const leaving = new Set(from.ledger.pending_updates?.leaving);
  const all = await deps.ledgers.entries(service_id);
  const entries = all.filter(({ sbom_id }) => !leaving.has(sbom_id));
  const digests = (from.appended?.entries ?? entries).map(({ digest }) => digest);
  const rows = await deps.ledgers.packageCounts(service_id);
  const also = { rows, most: deps.ledgers.rowsRead };
  const { parts, revision: planned } = await partsOf(deps.request, digests, also);
  const revisions = [planned];
  for (const packages of parts) {
    const part = { ...from, leaving, entries, packages };
    const end = await partInTurn(deps, () => finishPart(deps, line, part));
    if (typeof end === 'string') return end;
    revisions.push(...end.revisions);
  }
  const ledger = await deps.ledgers.ledger(service_id);
  if (ledger === 'forgotten') return ledger;
  if (!ledger?.pending_updates) return 'lost';
  const log = [...leaving].map((_id): LogDocument => ({ _id, ...line, removed: true }));
  const revision = revisions.reduce((a, b) => Math.min(a, b));
  const newest = revisions.reduce((a, b) => Math.max(a, b));
  const head = entries.at(-1) ?? null;
  const change = { ...line, head, rows: [], log, revision, newest };
  return deps.ledgers.save({ ledger, rows: [] }, change);
}

/** Writes the rows of some packages; gives the advisory revisions that they stand on now. */
async function finishPart(
  deps: LineDeps,
  line: Line,
  to: Finishing & { packages: readonly string[] },
): Promise<{ revisions: number[] } | 'lost' | 'forgotten'> {
  const { service_id, project_id } = line;
  for (;;) {
    const [epoch, ledger] = await Promise.all([
      deps.acceptances.epoch(project_id),
      deps.ledgers.ledger(service_id),
    ]);
    if (ledger === 'forgotten') return ledger;
    if (!ledger?.pending_updates) return 'lost';
    const inForce = await acceptancesInForce(deps, project_id, epoch);
    if (inForce === 'lapsed') continue;
    const rows = await deps.ledgers.rows({ serviceId: service_id, ledger }, to.packages);
    const { after, passed, revisions } = await rowsAfter(deps, to, {
      ...{ service_id, rows, acceptances: inForce.acceptances.map(coverer) },
      ...{ now: inForce.now.toISOString(), newId },
    });
    const before = new Map(rows.map((row) => [row.id, row]));
    const changed = after.filter(
      (row) => passed?.has(row.id) || !sameValue(before.get(row.id), row),
    );
    if (changed.length === 0) return { revisions };
    const saved = await deps.ledgers.save(
      { ledger, rows },
      {
        ...{ ...line, head: ledger.head, rows: changed, log: [], passed },
        ...{ revision: ledger.revision, newest: Math.max(0, ...revisions) },
        behind: { leaving: [...to.leaving] },
        traceparent: currentTraceparent(),
      },
    );
    return saved === 'saved' ? { revisions } : saved;
  }
}

interface RowsAfter {
  after: readonly Row[];
  passed?: ReadonlyMap<string, readonly Row[]>;
  /** Advisory revisions of the scans that were read. */
  revisions: number[];
}

async function rowsAfter(
  deps: LineDeps,
  { appended, entries, packages }: Finishing & { packages: readonly string[] },
  facts: Omit<Facts, 'observations'>,
): Promise<RowsAfter> {
  const observations = new Map<string, readonly Observation[]>();
  const revisions: number[] = [];
  const read = async (some: readonly LogEntry[]): Promise<void> => {
    for (const { digest } of some) {
      if (observations.has(digest)) continue;
      const { request, details } = deps;
      const scan = await readFolded({ request, keep: details.keep }, { digest, packages });
      observations.set(digest, scan.observations);
      revisions.push(scan.revision);
    }
  };
  if (appended) {
    await read(appended.entries);
    const state = appendAll({ ...facts, observations }, appended);
    if (state) return { ...state, revisions };
  }
  await read(entries);
  return { after: recompute({ ...facts, observations }, entries).rows, revisions };
}

/** Null where identities were reshaped. */
function appendAll(facts: Facts, { head, entries }: Appended): Omit<RowsAfter, 'revisions'> | null {
  let rows = facts.rows;
  let passed: ReadonlyMap<string, readonly Row[]> = new Map();
  let last = head;
  for (const entry of entries) {
    const next = append({ ...facts, rows }, last, entry);
    if (!next) return null;
    passed = passedBy({ facts, rows, passed }, next.rows);
    [rows, last] = [next.rows, entry];
  }
  return { after: rows, passed };
}
