import { maxChangedPackages, sbomReconciled, type SbomReference } from '@bomtrail/messages';
import type { PublishResult } from '@bomtrail/service-kit';
import { alsoCaughtUp, standsOn } from '../domain/caught-up';
import { recompute } from '../domain/reconcile';
import type { LogEntry } from '../domain/types';
import type { Metrics } from '../metrics';
import type { LedgerDocument, LogDocument } from '../store/documents';
import { entryOf, logDocument } from '../store/ledger-store';
import type { StoredLine } from '../store/write-changes';
import { appendUploads, type UploadsInHand } from './append-uploads';
import { changeLine } from './change-line';
import {
  disposeAgain,
  type Decision,
  type LineDeps,
  type LineFacts,
  type LogChange,
} from './change-once';
import { findingsOf, scansOf, type ReadScansDeps } from './line-scans';

export interface ReconcileSbomDeps extends LineDeps, ReadScansDeps {
  metrics: Metrics;
  conclude: PublishResult;
  /** Uploads of one line that come at once are reconciled together. */
  uploadsInHand: UploadsInHand;
}

/**
 * Brings the lists to what a scan says. Afterwards, and only then, the SBOM counts as scanned.
 */
export async function reconcileSbom(deps: ReconcileSbomDeps, scan: SbomReference): Promise<void> {
  const isUpload = scan.lane === 'upload' && scan.revision === 0;
  const end = await (isUpload ? appended(deps, scan) : bringUpToDate(deps, scan));
  if (end === 'gone') return;
  const { sbom_id, revision, attempt } = scan;
  await deps.conclude(sbomReconciled, { sbom_id, revision, attempt });
}

async function appended(deps: ReconcileSbomDeps, scan: SbomReference): Promise<'done' | 'gone'> {
  const upload = { scan, findings: findingsOf(deps, scan) };
  const end = await deps.uploadsInHand(scan.service_id, upload, (uploads) =>
    appendUploads(deps, uploads),
  );
  if (end instanceof Error) throw end;
  return end;
}

/**
 * Recomputes a line from its whole log, with what the scanner says now. Repeating it changes nothing,
 * and a scan of what was deleted meanwhile brings nothing back: `gone`.
 *
 * @param packages the only ones that an advisory change concerns, where that is known: the rows of the
 *   others are not looked at, which stand on whatever revision they stood on
 */
export async function bringUpToDate(
  deps: ReconcileSbomDeps,
  scan: SbomReference,
  packages?: readonly string[],
): Promise<'done' | 'gone'> {
  let gone = false;
  let repeated = false;
  const entry = entryOf(scan);
  const decide = async (
    stored: StoredLine,
    facts: LineFacts,
    scope?: readonly string[],
  ): Promise<Decision> => {
    // A re-scan of another SBOM may have brought the line to this revision already.
    const asked = { revision: scan.revision, packages: scope };
    const done = stored.ledger !== null && standsOn(stored.ledger, asked);
    const [known, inLog] = await find(deps, scan, done);
    gone = known !== null && 'removed' in known;
    // Also a repeated message looks at the acceptances: the process that wrote may have ended before it did.
    repeated = known !== null && done;
    if (gone || repeated) return disposeAgain(stored, facts, scope);

    // One more entry of the log may bring rows of any package.
    if (scope && (!known || !stored.ledger)) return 'needs all rows';
    const entries = inLog ?? (await deps.ledgers.entries(scan.service_id));
    const joins = known ? [] : [logDocument(scan)];
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
  const changeOfLog = async (ledger: LedgerDocument | null): Promise<LogChange | null> => {
    const done = ledger !== null && standsOn(ledger, { revision: scan.revision });
    const known = await deps.ledgers.entry(scan.sbom_id);
    gone = known !== null && 'removed' in known;
    repeated = known !== null && done;
    if (gone || repeated) return null;
    return { joins: known ? [] : [logDocument(scan)], leaving: [], tombstones: [] };
  };
  const outcome = await changeLine(deps, { ...scan, packages, changeOfLog }, decide);
  if (gone || outcome === 'forgotten') return 'gone';
  tellMetrics(deps.metrics, scan, { outcome, repeated });
  return 'done';
}

/** The SBOM in its line's log, null when it never was there; where it is not done, the log too. */
async function find(
  deps: ReconcileSbomDeps,
  scan: SbomReference,
  done: boolean,
): Promise<[LogEntry | LogDocument | null, LogEntry[] | null]> {
  if (done) return [await deps.ledgers.entry(scan.sbom_id), null];
  const entries = await deps.ledgers.entries(scan.service_id);
  const own = entries.find(({ sbom_id }) => sbom_id === scan.sbom_id);
  return [own ?? (await deps.ledgers.entry(scan.sbom_id)), entries];
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
