import { readDataStatus } from '@bomtrail/messages';
import type { Request } from '@bomtrail/service-kit';
import type { ScanCache } from '../cache/scan-cache';
import { compareLog } from '../domain/compare-log';
import type { Difference } from '../domain/difference';
import { compareLine } from '../domain/expected-line';
import type { LineCheckStore, WholeLine } from '../store/line-check-store';
import { compareStored } from '../store/compare-stored';
import {
  acceptancesAt,
  orUnevaluated,
  readCatalogLine,
  stateOf,
  type CatalogLine,
} from './read-line-facts';
import { orFolded, type KeptScan } from './read-scans';

export interface VerifyLineDeps {
  checks: LineCheckStore;
  request: Request;
  /** Scans as they are told, without anything being stored. */
  scans: ScanCache;
}

/** A line that is to be looked at. */
export interface LineToVerify {
  service_id: string;
  /** As the catalog has it, else as the reconciler does. */
  project_id: string;
  /** The advisory revision in force when the walk began: scans that are right for it may be shared. */
  revision: number;
}

/** What one look at a line says. `underWay`: why what differs may be work that has not ended. */
export interface Look {
  differences: Difference[];
  underWay: string[];
}

/** The next part of a big change comes within this time, or its process has ended: MongoDB ends each after 15 s. */
const partMs = 30_000;

/** What is right, or goes with a delete. */
const nothingWrong: Look = { differences: [], underWay: [] };

/**
 * One look at a line: its rows, log, newest entry and counters against a full recomputation from the
 * catalog's records, the scanner's findings and the acceptances. Nothing is written.
 *
 * What is stored is read from one snapshot. Uploads beside it change nothing about whether it is right,
 * but what the others say is read before or after it; whatever could explain a difference is looked at
 * last: changes of advisories that the catalog or the rows do not have yet, acceptances that are about
 * to be put into the rows, deletes, and a line that has moved on.
 */
export async function lookAtLine(deps: VerifyLineDeps, line: LineToVerify): Promise<Look> {
  const before = await readCatalogLine(deps.request, line.service_id);
  const stored = await deps.checks.read(line);
  const found = await compare(deps, line, { stored, before, after: before });
  if (found.length === 0) return nothingWrong;
  const { body: data_status } = await deps.request(readDataStatus, {});
  const after = await readCatalogLine(deps.request, line.service_id);
  const version = await deps.checks.version(line.service_id);
  if (before.state === 'deleting' || after.state === 'deleting') {
    return { differences: found, underWay: ['it is being deleted'] };
  }
  const underWay: string[] = [];
  if (version !== (stored.ledger?.version ?? null)) underWay.push('it changed meanwhile');
  const behind = stored.ledger?.pending_updates;
  if (behind && Date.now() - behind.at.getTime() < partMs) underWay.push('it is being written');
  if (!data_status.finished) underWay.push('an advisory change is being evaluated');
  else if (!data_status.announced) underWay.push('an advisory change is being announced');
  if (before.owed.length + after.owed.length > 0) underWay.push('a re-scan is owed');
  if (acceptancesAt(stored).underWay) underWay.push('an acceptance is being put into the rows');
  const differences = await compare(
    deps,
    { ...line, revision: data_status.revision },
    { stored, before, after },
  );
  return differences.length === 0 ? nothingWrong : { differences, underWay };
}

async function compare(
  deps: VerifyLineDeps,
  line: LineToVerify,
  seen: { stored: WholeLine; before: CatalogLine; after: CatalogLine },
): Promise<Difference[]> {
  const { stored, before, after } = seen;
  const whole = lineDifference(stored, after);
  if (whole) return whole === 'gone' ? [] : [whole];
  const registered = { before: before.sboms, after: after.sboms };
  const state = stateOf(stored);
  const { entries } = compareLog(state.log, registered.before, registered.after);
  const digests = entries.map(({ digest }) => digest);
  const scans = await orUnevaluated(deps.request, digests, () =>
    readScans(deps, digests, line.revision),
  );
  if ('unevaluated' in scans) {
    const lost = entries.filter(({ digest }) => scans.unevaluated.includes(digest));
    return lost.map(({ sbom_id, seq, digest }) => ({
      ...{ kind: 'findings-missing', id: sbom_id, about: `SBOM with sequence ${seq}` },
      stored: 'in the log',
      expected: `evaluated: the scanner has no findings of its component set ${digest}`,
    }));
  }
  let last = 0;
  const { inForce } = acceptancesAt(stored);
  const differences = compareLine(state, registered, {
    service_id: line.service_id,
    acceptances: inForce,
    observations: scans,
    now: stored.now.toISOString(),
    newId: () => `~${String(++last).padStart(9, '0')}`,
  });
  const shown = stored.rows.flatMap((row) => (row.shown ? [row.shown.details] : []));
  const missing = await deps.checks.missingDetails(shown);
  const project_id = after.project_id ?? line.project_id;
  const known = { project_id, revision: line.revision, differences, missing };
  return [...differences, ...compareStored(stored, known)];
}

/** The line as a whole, before anything in it is looked at. `gone`: it was deleted, and is. */
function lineDifference(stored: WholeLine, { state }: CatalogLine): Difference | 'gone' | null {
  const { ledger, rows, log } = stored;
  const left = `${rows.length} rows and ${log.length} log entries`;
  if (ledger?.forgotten) {
    if (state === 'there') {
      return {
        ...{ kind: 'line-forgotten', id: null, about: 'the whole service' },
        ...{ stored: 'deleted', expected: 'there: the catalog has it' },
      };
    }
    if (rows.length + log.length === 0 || ledger.forgotten !== 'purged') return 'gone';
  } else if (state !== 'unknown') return null;
  if (!ledger && rows.length + log.length === 0) return 'gone';
  return {
    ...{ kind: 'line-unknown', id: null, about: 'the whole service' },
    ...{ stored: left, expected: 'nothing: the catalog does not have it' },
  };
}

async function readScans(
  deps: VerifyLineDeps,
  digests: readonly string[],
  revision: number,
): Promise<Map<string, KeptScan['observations']>> {
  // A check stores nothing.
  const keep = async (): Promise<void> => {};
  const reading = [...new Set(digests)].map(async (digest) => {
    const scan = deps.scans.readAt({ digest, packages: null }, revision);
    const { observations } = await orFolded({ request: deps.request, keep }, digest, scan);
    return [digest, observations] as const;
  });
  return new Map(await Promise.all(reading));
}
