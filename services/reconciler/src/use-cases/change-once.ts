import { vulnerabilityChanged } from '@bomtrail/messages';
import { currentTraceparent, type Announce, type KeyedMutex } from '@bomtrail/service-kit';
import { v7 as newId } from 'uuid';
import type { CaughtUp } from '../domain/caught-up';
import { dispose } from '../domain/dispose';
import type { Facts, Ledger } from '../domain/reconcile';
import { sameValue } from '../domain/same-value';
import type { Coverer, Row } from '../domain/types';
import type { AcceptanceStore } from '../store/acceptance-store';
import type { AcceptanceDocument, LedgerDocument, LogDocument } from '../store/documents';
import type { LedgerStore } from '../store/ledger-store';
import type { LineLedgers } from '../store/ledgers-together';
import { shownBy, type StoredLine } from '../store/write-changes';
import type { ReadScansDeps } from './line-scans';

/** What changing a line takes. */
export interface LineDeps extends ReadScansDeps {
  ledgers: LineLedgers;
  acceptances: Pick<AcceptanceStore, 'epoch' | 'inForce' | 'lapse'>;
  announce: Announce;
  withKey: KeyedMutex;
}

/** The same with all that the stores can do. */
export interface ChangeLineDeps extends LineDeps {
  ledgers: LedgerStore;
  acceptances: AcceptanceStore;
}

/** What a decision may look at: everything but the scans, which it brings itself. */
export type LineFacts = Omit<Facts, 'observations'> & {
  /** The findings with which one more SBOM changes no row; null: that is not known. */
  shows: string | null;
};

/**
 * The line's new state and what joins its log; null: nothing is to be done. `needs all rows`: of a
 * decision over some packages, that these do not suffice.
 */
export type Decision =
  | {
      ledger: Ledger;
      /** What takes the place of whatever is in the log under its id. */
      log: LogDocument[];
      /** Entries that are new, on condition that they are. */
      joins?: readonly LogDocument[];
      /** States that rows had in between, oldest first, where several SBOMs join. */
      passed?: ReadonlyMap<string, readonly Row[]>;
      /** The advisory revision that all rows stand on at least. */
      revision: number;
      /** The latest one that any row stands on; absent where none was read. */
      newest?: number;
      /** Packages whose rows stand on a later revision; absent: that is known of none. */
      caughtUp?: CaughtUp | undefined;
      /** The findings with which one more SBOM would change no row; absent: not known, or as before. */
      shows?: string;
    }
  | 'needs all rows'
  | null;

/**
 * A line, and what of it is loaded, decided upon and changed.
 *
 * `packages`: only their rows; all when absent, none when empty, until the decision asks for them.
 * `isWhole`: the decision recomputes the line, whatever is stored of it.
 */
export interface LineToChange {
  service_id: string;
  project_id: string;
  packages?: readonly string[] | undefined;
  isWhole?: true;
  /** How the log changes, for a line of which not all can be in memory; absent: it does not. */
  changeOfLog?: ((ledger: LedgerDocument | null) => Promise<LogChange | null>) | undefined;
}

/** What a change does to the log of its line; its rows follow from the log. */
export interface LogChange {
  /** Entries that the log does not hold yet. */
  joins: readonly LogDocument[];
  /** Ids of entries of the log that go. */
  leaving: readonly string[];
  /** Tombstones of what the log never held. */
  tombstones: readonly LogDocument[];
}

/** `behind`: rows of the line are behind its log, and this decision looks at some of them only. */
export async function changeOnce(
  deps: LineDeps,
  at: LineToChange,
  decide: Decide,
): Promise<'changed' | 'unchanged' | 'forgotten' | 'behind'> {
  const line = { service_id: at.service_id, project_id: at.project_id };
  let step = decide;
  let outcome: 'changed' | 'unchanged' = 'unchanged';
  for (;;) {
    const [epoch, ledger] = await Promise.all([
      deps.acceptances.epoch(line.project_id),
      deps.ledgers.ledger(line.service_id),
    ]);
    if (ledger === 'forgotten') return 'forgotten';
    if (ledger?.pending_updates && !(at.isWhole && step === decide)) return 'behind';
    const inForce = await acceptancesInForce(deps, line.project_id, epoch);
    if (inForce === 'lapsed') continue;
    const { acceptances, now } = inForce;
    const shows = shownBy(ledger);
    const facts = {
      service_id: line.service_id,
      acceptances: acceptances.map(coverer),
      now: now.toISOString(),
      newId,
      shows: shows && shows.epoch === epoch ? shows.findings : null,
    };
    const { stored, decision } = await decideOver(deps, { at, ledger, facts }, step);
    if (!decision) return outcome;
    const before = new Map(stored.rows.map((row) => [row.id, row]));
    const { passed } = decision;
    const rows = decision.ledger.rows.filter(
      (row) => passed?.has(row.id) || !sameValue(before.get(row.id), row),
    );
    const change = {
      ...line,
      head: decision.ledger.head,
      rows,
      log: decision.log,
      joins: decision.joins,
      passed,
      revision: decision.revision,
      newest: decision.newest,
      caughtUp: decision.caughtUp,
      traceparent: currentTraceparent(),
      shows: decision.shows === undefined ? undefined : { findings: decision.shows, epoch },
    };
    const saved = await deps.ledgers.save(stored, change);
    if (saved === 'forgotten') return saved;
    if (saved === 'lost') continue;
    // Whoever gives an acceptance from here on finds every row as it is.
    if (rows.length === 0) return outcome;
    outcome = 'changed';
    const state_version = (stored.ledger?.version ?? 0) + 1;
    void deps.announce(vulnerabilityChanged, { ...line, state_version });
    if ((await deps.acceptances.epoch(line.project_id)) === epoch) return outcome;
    step = disposeAgain;
  }
}

export type Decide = (
  stored: StoredLine,
  facts: LineFacts,
  packages?: readonly string[],
) => Promise<Decision>;

/** Loads the rows that a decision asks for, and takes it. */
async function decideOver(
  { ledgers }: LineDeps,
  line: {
    at: { service_id: string; packages?: readonly string[] | undefined };
    ledger: LedgerDocument | null;
    facts: Omit<LineFacts, 'rows'>;
  },
  decide: Decide,
): Promise<{ stored: StoredLine; decision: Exclude<Decision, string> }> {
  const { at, ledger, facts } = line;
  for (let packages = at.packages; ; packages = undefined) {
    const rows = await ledgers.rows({ serviceId: at.service_id, ledger }, packages);
    const stored = { ledger, rows };
    const decision = await decide(stored, { ...facts, rows }, packages);
    if (decision !== 'needs all rows') return { stored, decision };
    if (!packages) throw new Error('All rows do not suffice.');
  }
}

/** The decision that only looks at the acceptances: the rows' presence stays as it is. */
export async function disposeAgain(
  stored: StoredLine,
  facts: LineFacts,
  packages?: readonly string[],
): Promise<Decision> {
  if (!stored.ledger) return null;
  if (packages?.length === 0) return 'needs all rows';
  const rows = dispose(stored.rows, facts.acceptances, {
    service_id: facts.service_id,
    now: facts.now,
  });
  if (rows.every((row, index) => row === stored.rows[index])) return null;
  const { head, revision, caught_up: caughtUp } = stored.ledger;
  return { ledger: { head, rows }, log: [], revision, caughtUp };
}

/** `lapsed`: some had expired, which is stored now; the line is to be read again. */
export async function acceptancesInForce(
  deps: Pick<LineDeps, 'acceptances'>,
  projectId: string,
  epoch: number,
): Promise<{ acceptances: AcceptanceDocument[]; now: Date } | 'lapsed'> {
  const inForce = epoch === 0 ? noAcceptances() : await deps.acceptances.inForce(projectId);
  const { acceptances, now } = inForce;
  const expired = acceptances.filter(({ expires_at }) => expires_at && expires_at <= now);
  if (expired.length === 0) return inForce;
  // A stored fact before any row shows it: no other process takes them for valid afterwards.
  const ids = expired.map(({ _id }) => _id);
  await deps.acceptances.lapse(projectId, ids);
  return 'lapsed';
}

function noAcceptances(): { acceptances: AcceptanceDocument[]; now: Date } {
  return { acceptances: [], now: new Date() };
}

/** An acceptance as the rules read it. */
export function coverer(acceptance: AcceptanceDocument): Coverer {
  return {
    identity: acceptance.identity,
    service_id: acceptance.service_id,
    expires_at: acceptance.expires_at?.toISOString() ?? null,
  };
}
