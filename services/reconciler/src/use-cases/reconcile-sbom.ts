import { maxChangedPackages, sbomReconciled, type SbomReference } from '@bomtrail/messages';
import type { Request } from '@bomtrail/service-kit';
import type { ScanCache } from '../cache/scan-cache';
import { alsoCaughtUp, standsOn } from '../domain/caught-up';
import { append, recompute } from '../domain/reconcile';
import type { LogEntry, Observation } from '../domain/types';
import type { Metrics } from '../metrics';
import type { DetailsStore } from '../store/details-store';
import type { LedgerDocument, LogDocument } from '../store/documents';
import type { StoredLine } from '../store/write-changes';
import {
  changeLine,
  disposeAgain,
  type Decision,
  type LineDeps,
  type LineFacts,
} from './change-line';
import { readScan } from './read-scan';
import { keptScan, type KeptScan } from './read-scans';

export interface ReadScansDeps {
  details: DetailsStore;
  request: Request;
}

export interface ReconcileSbomDeps extends LineDeps, ReadScansDeps {
  /** What lines with the same component sets share. */
  scans: ScanCache;
  metrics: Metrics;
}

/**
 * Brings the lists to what a scan says. Afterwards, and only then, the SBOM counts as scanned.
 */
export async function reconcileSbom(deps: ReconcileSbomDeps, scan: SbomReference): Promise<void> {
  // An upload that shows what its predecessor showed needs to look at no row.
  const packages = scan.lane === 'upload' ? [] : undefined;
  if ((await bringUpToDate(deps, scan, packages)) === 'gone') return;
  const { sbom_id, revision, attempt } = scan;
  await deps.announce(sbomReconciled, { sbom_id, revision, attempt });
}

/**
 * The newest SBOM of a line is one more entry, anything else (an older one, an advisory change)
 * recomputes the line from its whole log. Repeating it changes nothing, and a scan of what was deleted
 * meanwhile brings nothing back: `gone`.
 *
 * @param packages the only ones that an advisory change concerns, where that is known: the rows of the
 *   others are not looked at, which stand on whatever revision they stood on; none, of an upload: only
 *   those that must be looked at are
 */
export async function bringUpToDate(
  deps: ReconcileSbomDeps,
  scan: SbomReference,
  packages?: readonly string[],
): Promise<'done' | 'gone'> {
  let gone = false;
  let repeated = false;
  let taken = false;
  const uploaded = scan.lane === 'upload' ? findingsOf(deps, scan) : null;
  const entry = entryOf(scan);
  const decide = async (
    stored: StoredLine,
    facts: LineFacts,
    scope?: readonly string[],
  ): Promise<Decision> => {
    const head = stored.ledger?.head ?? null;
    const isNext = uploaded !== null && (head === null || scan.seq > head.seq);
    // A re-scan of another SBOM may have brought the line to this revision already.
    const asked = { revision: scan.revision, packages: scope?.length ? scope : undefined };
    const done = stored.ledger !== null && standsOn(stored.ledger, asked);
    // That the log does not hold it yet is a condition of the write, and looked up where that has failed.
    const [known, inLog] = isNext && !taken ? [null, null] : await find(deps, scan, done);
    gone = known !== null && 'removed' in known;
    // Also a repeated message looks at the acceptances: the process that wrote may have ended before it did.
    repeated = known !== null && done;
    if (gone || repeated) return disposeAgain(stored, facts, scope);

    const joins = known ? undefined : logDocument(scan);
    if (!known && isNext) {
      const read = await uploaded(stored.ledger);
      const shows = read.fingerprint();
      const { revision: before = read.revision, caught_up } = stored.ledger ?? {};
      const rest = {
        ...{ log: [], joins, revision: Math.min(before, read.revision) },
        ...{ newest: read.revision, shows },
        caughtUp: caught_up && read.revision >= caught_up.revision ? caught_up : undefined,
      };
      const isShown = facts.shows === shows;
      if (!isShown && stored.ledger && scope) return 'needs all rows';
      taken = true;
      if (isShown) return { ledger: { head: entry, rows: [] }, ...rest };
      const observations = new Map([[scan.digest, read.observations]]);
      const ledger = append({ ...facts, observations }, head, entry);
      if (ledger) return { ledger, ...rest };
    }
    // One more entry of the log may bring rows of any package.
    if (scope && (scope.length === 0 || !known || !stored.ledger)) return 'needs all rows';
    const entries = inLog ?? (await deps.ledgers.entries(scan.line_id));
    if (!known) entries.push(entry);
    // Messages of two changes may overtake each other, and what is kept here may be right for the older one only.
    const atLeast =
      scan.revision > 0 ? Math.max(scan.revision, stored.ledger?.newest_revision ?? 0) : 0;
    const { observations, revision, newest } = await scansOf(
      deps,
      entries.map(({ digest }) => digest),
      { atLeast, packages: scope },
    );
    const ledger = recompute({ ...facts, observations }, entries);
    if (!scope || !stored.ledger) return { ledger, log: [], joins, revision, newest };
    const now = { revision, packages: [...scope] };
    const caughtUp = alsoCaughtUp(stored.ledger.caught_up, now, maxChangedPackages);
    return { ledger, log: [], joins, revision: stored.ledger.revision, newest, caughtUp };
  };
  const outcome = await changeLine(deps, { ...scan, packages }, decide);
  if (gone || outcome === 'forgotten') return 'gone';
  tellMetrics(deps.metrics, scan, { outcome, repeated });
  return 'done';
}

/** The SBOM in its line's log, null when it never was there; of a re-scan that is not done, the log too. */
async function find(
  deps: ReconcileSbomDeps,
  scan: SbomReference,
  done: boolean,
): Promise<[LogEntry | LogDocument | null, LogEntry[] | null]> {
  if (scan.lane === 'upload' || done) return [await deps.ledgers.entry(scan.sbom_id), null];
  const entries = await deps.ledgers.entries(scan.line_id);
  const own = entries.find(({ sbom_id }) => sbom_id === scan.sbom_id);
  return [own ?? (await deps.ledgers.entry(scan.sbom_id)), entries];
}

/**
 * Asks for the findings of an upload's component set while its line is read. The scan says for which
 * advisory revision they were right when it ended; a change that came into force later is told to the
 * line as one (ADR 0023). So what is kept here will do, as long as nothing that the line shows is
 * younger.
 */
function findingsOf(
  deps: ReconcileSbomDeps,
  { digest, evaluated_revision }: SbomReference,
): (ledger: LedgerDocument | null) => Promise<KeptScan> {
  const anew = (): Promise<KeptScan> => readScanWithDetails(deps, digest);
  const atLeast = (revision: number): Promise<KeptScan> =>
    evaluated_revision === undefined
      ? anew()
      : deps.scans.readAt({ digest, packages: null }, revision);
  let latest = atLeast(evaluated_revision ?? 0);
  // Whoever asks for it sees the failure.
  latest.catch(() => undefined);
  return async (ledger) => {
    const shown = ledger ? ledger.newest_revision : 0;
    if (shown === undefined) return anew();
    const read = await latest;
    if (read.revision >= shown) return read;
    latest = atLeast(shown);
    return latest;
  };
}

/** What the scanner says of several component sets, all at least as of `revision` (0 when there is none). */
export interface Scans {
  observations: Map<string, readonly Observation[]>;
  revision: number;
  /** The latest revision that one of them is right for. */
  newest: number;
}

/**
 * The scans of these component sets, with the details that their rows will refer to already stored.
 * Several are read together.
 *
 * @param rescan of a re-scan: the revision that it asks for, whereupon it may share what others have
 *   read, and the packages that it looks at; 0, the default: the scanner is asked anew
 */
export async function scansOf(
  deps: ReadScansDeps & { scans: ScanCache },
  digests: readonly string[],
  rescan: { atLeast: number; packages?: readonly string[] | undefined } = { atLeast: 0 },
): Promise<Scans> {
  const { atLeast, packages = null } = rescan;
  const distinct = [...new Set(digests)];
  const read = (digest: string): Promise<KeptScan> => {
    if (atLeast > 0) return deps.scans.readAt({ digest, packages }, atLeast);
    return distinct.length > 1
      ? deps.scans.readNow({ digest, packages })
      : readScanWithDetails(deps, digest);
  };
  const scans: Scans = { observations: new Map(), revision: Number.MAX_SAFE_INTEGER, newest: 0 };
  const found = await Promise.all(distinct.map(read));
  for (const [index, { observations, revision }] of found.entries()) {
    scans.observations.set(distinct[index] ?? '', observations);
    scans.revision = Math.min(scans.revision, revision);
    scans.newest = Math.max(scans.newest, revision);
  }
  return scans.observations.size > 0 ? scans : { ...scans, revision: 0 };
}

/** What the scanner says of one set now, with its details stored. */
async function readScanWithDetails(deps: ReadScansDeps, digest: string): Promise<KeptScan> {
  const { observations, vulnerabilities, revision } = await readScan(deps.request, digest);
  await deps.details.keep(vulnerabilities);
  return keptScan(observations, revision);
}

function tellMetrics(
  metrics: Metrics,
  scan: SbomReference,
  end: { outcome: 'changed' | 'unchanged'; repeated: boolean },
): void {
  const { lane, changed_at } = scan;
  if (end.outcome === 'changed') metrics.ledgersChanged.inc({ lane });
  if (end.repeated || changed_at === undefined) return;
  // Clocks of two machines: a delay below zero is none.
  metrics.changeDelay.observe(Math.max(0, Date.now() - Date.parse(changed_at)) / 1000);
}

function entryOf({ sbom_id, seq, digest, created_at }: SbomReference): LogEntry {
  return { sbom_id, seq, digest, created_at };
}

function logDocument(scan: SbomReference): LogDocument {
  const { sbom_id, ...entry } = entryOf(scan);
  return { _id: sbom_id, line_id: scan.line_id, project_id: scan.project_id, ...entry };
}
