import { scanRequested } from '@bomtrail/messages';
import { compareLog, type Logged } from '../domain/compare-log';
import { expectedLine } from '../domain/expected-line';
import type { LogDocument, RowDocument } from '../store/documents';
import { fieldsNotAsListed } from '../store/compare-stored';
import type { WholeLine } from '../store/line-check-store';
import type { StoredLine } from '../store/write-changes';
import { toRow } from '../store/row-mapping';
import { changeLine } from './change-line';
import { type Decision, type LineFacts } from './change-once';
import { forgetDeletedLine, type ForgetDeletedDeps } from './forget-deleted';
import { orUnevaluated, readCatalogLine, stateOf } from './read-line-facts';
import { scansOf } from './line-scans';
import type { ReconcileSbomDeps } from './reconcile-sbom';
import type { VerifyLineDeps } from './verify-line';

export interface RepairLineDeps extends ReconcileSbomDeps, ForgetDeletedDeps {
  checks: VerifyLineDeps['checks'];
}

/**
 * What a repair did. `forgotten`: the line was deleted here, for good, which cannot be undone; `asked`:
 * first the scanner has to evaluate component sets again, which it was asked for.
 */
export type Repair = 'recomputed' | 'removed' | 'forgotten' | 'asked' | 'being deleted';

/**
 * Brings a line to what the facts say, whatever is stored of it: the log to the catalog's records, the
 * rows to a full recomputation, what lists sort by to the rows. By the one way of changing a line, so
 * that uploads, re-scans and acceptances at the same time cost a repetition and nothing is lost.
 */
export async function repairLine(
  deps: RepairLineDeps,
  line: { service_id: string; project_id: string },
): Promise<Repair> {
  const { state, project_id } = await readCatalogLine(deps.request, line.service_id);
  if (state === 'deleting') return 'being deleted';
  if (state === 'unknown') {
    while ((await forgetDeletedLine(deps, line)).more);
    return 'removed';
  }
  const own = { service_id: line.service_id, project_id: project_id ?? line.project_id };
  let asked = false;
  const whole = wholeLine(deps, own);
  const outcome = await changeLine(
    {
      ...deps,
      ledgers: { ...deps.ledgers, ledger: whole.ledger, rows: whole.rows, save: whole.save },
    },
    { ...own, isWhole: true },
    async (_stored, facts): Promise<Decision> => {
      const decision = await decide(deps, facts, { own, stored: whole.loaded() });
      asked = decision === null;
      return decision;
    },
  );
  if (outcome === 'forgotten') return 'forgotten';
  return asked ? 'asked' : 'recomputed';
}

async function decide(
  deps: RepairLineDeps,
  facts: LineFacts,
  line: { own: { service_id: string; project_id: string }; stored: WholeLine },
): Promise<Decision> {
  const { own } = line;
  const { sboms } = await readCatalogLine(deps.request, own.service_id);
  const registered = { before: sboms, after: sboms };
  const state = stateOf(line.stored);
  const { entries } = compareLog(state.log, sboms, sboms);
  const digests = entries.map(({ digest }) => digest);
  const scans = await orUnevaluated(deps.request, digests, () =>
    scansOf(deps, digests, { atLeast: 0, isWhole: true }),
  );
  if ('unevaluated' in scans) {
    const lost = entries.filter(({ digest }) => scans.unevaluated.includes(digest));
    const attempt = Math.floor(Date.now() / 1000);
    for (const entry of lost) {
      const scan = { ...entry, ...own, lane: 'upload' as const, revision: 0, attempt };
      await deps.announce(scanRequested, scan);
    }
    return null;
  }
  const { observations, revision, newest } = scans;
  const { ledger, fixes } = expectedLine(state, registered, { ...facts, observations });
  return { ledger, revision, newest, log: fixes.map((fix) => logDocument(fix, own)) };
}

/**
 * The store of a line that reads all that is there, also without a ledger, and writes rows anew whose
 * stored fields do not follow from what the rules know of them.
 */
function wholeLine(deps: RepairLineDeps, own: { service_id: string; project_id: string }) {
  let loaded: WholeLine | null = null;
  return {
    loaded(): WholeLine {
      if (!loaded) throw new Error('The line was not loaded.');
      return loaded;
    },
    async ledger(): Promise<StoredLine['ledger'] | 'forgotten'> {
      loaded = await deps.checks.readLoose(own);
      return loaded.ledger?.forgotten ? 'forgotten' : loaded.ledger;
    },
    rows: async (): Promise<StoredLine['rows']> => (loaded?.rows ?? []).map(toRow),
    save: ((before, change) => {
      const changed = new Set(change.rows.map(({ id }) => id));
      const wrong = (loaded?.rows ?? [])
        .filter((row: RowDocument) => !changed.has(row._id))
        .filter((row) => fieldsNotAsListed(row, own.project_id).length > 0);
      const rows = [...change.rows, ...wrong.map(toRow)];
      return deps.ledgers.save(uncounted(before), { ...change, rows });
    }) satisfies RepairLineDeps['ledgers']['save'],
  };
}

/** As if its listed rows were never counted: they are counted anew. */
function uncounted(line: StoredLine): StoredLine {
  if (!line.ledger) return line;
  const { listed_version: _counted, ...ledger } = line.ledger;
  return { ...line, ledger };
}

function logDocument(fix: Logged, own: { service_id: string; project_id: string }): LogDocument {
  const { sbom_id, ...rest } = fix;
  return { _id: sbom_id, ...own, ...rest };
}
