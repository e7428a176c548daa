import type { CaughtUp } from '../domain/caught-up';
import { cutLog, showAgain } from '../domain/cut-log';
import { recompute } from '../domain/reconcile';
import type { LogEntry } from '../domain/types';
import type { StoredLine } from '../store/write-changes';
import { changeLine } from './change-line';
import { disposeAgain, type Decision, type LineFacts, type LogChange } from './change-once';
import { scansOf } from './line-scans';
import type { ReconcileSbomDeps } from './reconcile-sbom';

/** SBOMs of one line that go. */
export interface Removal {
  sbom_ids: readonly string[];
  service_id: string;
  project_id: string;
  /** No advisory change is owed to any of them: the rows of the line stand on what was asked for so far. */
  finished: boolean;
}

/**
 * Takes SBOMs out of their line's log for good, and their rows with them: what they alone held is gone,
 * what a predecessor still has is open again. A scan that ends later finds the tombstone.
 *
 * The rows say which of the entries that are left hold them, and a scan is read only for what a row
 * shows now: a log of thousands of versions costs one or two. Where the rows may not be up to date they
 * are recomputed from all scans instead, because what was owed to the line went with the SBOM.
 */
export async function removeSboms(deps: ReconcileSbomDeps, removal: Removal): Promise<void> {
  const { sbom_ids, service_id, project_id, finished } = removal;
  const changeOfLog = async (): Promise<LogChange | null> => {
    const known = await deps.ledgers.known(sbom_ids);
    const isThere = (id: string): boolean => known.has(id) && !('removed' in (known.get(id) ?? {}));
    const tombstones = sbom_ids
      .filter((id) => !known.has(id))
      .map((_id) => ({ _id, service_id, project_id, removed: true as const }));
    const leaving = sbom_ids.filter(isThere);
    const isDone = leaving.length + tombstones.length === 0;
    return isDone ? null : { joins: [], leaving, tombstones };
  };
  await changeLine(deps, { service_id, project_id, changeOfLog }, async (stored, facts) => {
    const entries = await deps.ledgers.entries(service_id);
    const inLog = new Set(entries.map(({ sbom_id }) => sbom_id));
    const others = sbom_ids.filter((id) => !inLog.has(id));
    const known = await Promise.all(others.map((id) => deps.ledgers.entry(id)));
    const unknown = others.filter((_, index) => known[index] === null);
    const going = new Set(sbom_ids.filter((id) => inLog.has(id)));
    const log = [...going, ...unknown].map((_id) => {
      return { _id, service_id, project_id, removed: true as const };
    });
    // The process that removed them may have ended before it looked at the acceptances again.
    if (log.length === 0) return disposeAgain(stored, facts);
    const head = stored.ledger?.head ?? null;
    if (going.size === 0) {
      return { ledger: { head, rows: stored.rows }, log, ...data_status(stored) };
    }
    const cut = finished ? await cutLine(deps, { stored, facts, entries, going }) : null;
    if (cut) return { ...cut, log };
    const left = entries.filter(({ sbom_id }) => !going.has(sbom_id));
    const { observations, revision, newest } = await scansOf(
      deps,
      left.map(({ digest }) => digest),
    );
    return { ledger: recompute({ ...facts, observations }, left), log, revision, newest };
  });
}

/** The rows without these entries, from the rows with them; null where they are not up to date. */
async function cutLine(
  deps: ReconcileSbomDeps,
  line: {
    stored: StoredLine;
    facts: LineFacts;
    entries: LogEntry[];
    going: ReadonlySet<string>;
  },
): Promise<Omit<Exclude<Decision, null | string>, 'log'> | null> {
  const { stored, facts, entries, going } = line;
  const cut = cutLog(stored.rows, entries, going);
  const digests = [...cut.toShow.values()].map(({ digest }) => digest);
  const { observations } = await scansOf(deps, digests);
  const ledger = showAgain({ ...facts, observations }, cut);
  return ledger && { ledger, ...data_status(stored) };
}

/** What was brought into the rows stays there. */
function data_status({ ledger }: StoredLine): { revision: number; caughtUp: CaughtUp | undefined } {
  return { revision: ledger?.revision ?? 0, caughtUp: ledger?.caught_up };
}
