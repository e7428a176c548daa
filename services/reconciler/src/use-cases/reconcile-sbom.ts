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
 * nothing, and a scan of what was deleted meanwhile brings nothing back. Afterwards, and only then, the SBOM counts as scanned.
 */
export async function reconcileSbom(deps: ReconcileSbomDeps, scan: SbomReference): Promise<void> {
  let gone = false;
  const outcome = await changeLine(deps, scan, async (stored, facts) => {
    const known = await deps.ledgers.entry(scan.sbom_id);
    gone = known !== null && 'removed' in known;
    // Also a repeated message looks at the acceptances: the process that wrote may have ended before it did.
    // A re-scan of another SBOM may have brought the whole line to this revision already.
    const done = scan.revision <= (stored.ledger?.revision ?? -1);
    if (gone || (known && done)) return disposeAgain(stored, facts);

    const entry: LogEntry = {
      sbom_id: scan.sbom_id,
      seq: scan.seq,
      digest: scan.digest,
      created_at: scan.created_at,
    };
    const log: LogDocument[] = known ? [] : [logDocument(scan)];
    const head = stored.ledger?.head ?? null;
    if (!known && scan.lane === 'upload' && (head === null || scan.seq > head.seq)) {
      const { observations, revision } = await scansOf(deps, [scan.digest]);
      const ledger = append({ ...facts, observations }, head, entry);
      const before = stored.ledger?.revision ?? revision;
      if (ledger) return { ledger, log, revision: Math.min(before, revision) };
    }
    const entries = await deps.ledgers.entries(scan.line_id);
    if (!known) entries.push(entry);
    const { observations, revision } = await scansOf(
      deps,
      entries.map(({ digest }) => digest),
    );
    return { ledger: recompute({ ...facts, observations }, entries), log, revision };
  });
  if (gone || outcome === 'forgotten') return;
  const { sbom_id, revision, attempt } = scan;
  await deps.announce(sbomReconciled, { sbom_id, revision, attempt });
}

/** What the scanner says of several component sets, all at least as of `revision` (0 when there is none). */
export interface Scans {
  observations: Map<string, Observation[]>;
  revision: number;
}

/**
 * The scans of these component sets, with the details that their rows will refer to already stored.
 * The sets of a line are much alike, so that equal observations are kept once.
 */
export async function scansOf(deps: ReconcileSbomDeps, digests: readonly string[]): Promise<Scans> {
  const scans: Scans = { observations: new Map(), revision: Number.MAX_SAFE_INTEGER };
  const known = new Map<string, Observation>();
  for (const digest of new Set(digests)) {
    const scan = await readScan(deps.request, digest);
    await deps.details.keep(scan.vulnerabilities);
    const observations = scan.observations.map((observation) => {
      const { purl, details, is_direct, fixed_versions } = observation;
      const key = `${purl}\n${details}\n${is_direct}\n${fixed_versions.join()}`;
      const equal = known.get(key) ?? observation;
      known.set(key, equal);
      return equal;
    });
    scans.observations.set(digest, observations);
    scans.revision = Math.min(scans.revision, scan.revision);
  }
  return scans.observations.size > 0 ? scans : { ...scans, revision: 0 };
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
