import { sbomReconciled, type SbomReference } from '@bomtrail/messages';
import type { Request } from '@bomtrail/service-kit';
import { append, recompute } from '../domain/reconcile';
import type { LogEntry, Observation } from '../domain/types';
import type { DetailsStore } from '../store/details-store';
import type { LogDocument } from '../store/documents';
import { changeLine, disposeAgain, type ChangeLineDeps } from './change-line';
import { readScan } from './read-scan';

export interface ReconcileSbomDeps extends ChangeLineDeps {
  details: DetailsStore;
  request: Request;
}

/**
 * Brings the lists to what a scan says: the newest SBOM of a line is one more entry, anything else
 * (an older one, an advisory change) recomputes the line from its whole log. Repeating it changes
 * nothing. Afterwards, and only then, the SBOM counts as scanned.
 */
export async function reconcileSbom(deps: ReconcileSbomDeps, scan: SbomReference): Promise<void> {
  let gone = false;
  await changeLine(deps, scan, async (stored, facts) => {
    const known = await deps.ledgers.entry(scan.sbom_id);
    gone = known !== null && 'removed' in known;
    // Also a repeated message looks at the acceptances: the process that wrote may have ended before it did.
    if (gone || (known && scan.lane === 'upload')) return disposeAgain(stored, facts);

    const entry: LogEntry = {
      sbom_id: scan.sbom_id,
      seq: scan.seq,
      digest: scan.digest,
      created_at: scan.created_at,
    };
    const log: LogDocument[] = known ? [] : [logDocument(scan)];
    const head = stored.ledger?.head ?? null;
    if (!known && (head === null || scan.seq > head.seq)) {
      const observations = await scansOf(deps, [scan.digest]);
      const ledger = append({ ...facts, observations }, head, entry);
      if (ledger) return { ledger, log };
    }
    const entries = await deps.ledgers.entries(scan.line_id);
    if (!known) entries.push(entry);
    const observations = await scansOf(
      deps,
      entries.map(({ digest }) => digest),
    );
    return { ledger: recompute({ ...facts, observations }, entries), log };
  });
  if (gone) return;
  const { sbom_id, revision, attempt } = scan;
  await deps.announce(sbomReconciled, { sbom_id, revision, attempt });
}

/** The scans of these component sets, with the details that their rows will refer to already stored. */
export async function scansOf(
  deps: ReconcileSbomDeps,
  digests: readonly string[],
): Promise<Map<string, Observation[]>> {
  const scans = new Map<string, Observation[]>();
  for (const digest of new Set(digests)) {
    const { observations, vulnerabilities } = await readScan(deps.request, digest);
    await deps.details.keep(vulnerabilities);
    scans.set(digest, observations);
  }
  return scans;
}

function logDocument(scan: SbomReference): LogDocument {
  return {
    _id: scan.sbom_id,
    line_id: scan.line_id,
    project_id: scan.project_id,
    seq: scan.seq,
    digest: scan.digest,
    created_at: scan.created_at,
  };
}
