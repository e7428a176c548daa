import { sbomReconciled, type SbomReference } from '@bomtrail/messages';
import { createBatchers, type BatchedByKey } from '@bomtrail/concurrency';
import type { PublishResult } from '@bomtrail/messaging';
import type { Metrics } from '../metrics';
import { changeService } from './change-service';
import type { Scan } from './domain/add-version';
import { isBasedOn } from './domain/package-revisions';
import type { SbomVersion } from './domain/types';
import type { Plan } from './plan';
import type { ScanReader } from './scan-reader';
import type { ChangeDeps } from './stored-service';

export interface ReconcileSbomDeps extends ChangeDeps {
  metrics: Metrics;
  publishResult: PublishResult;
  /** Concurrent uploads of a service are applied in one batch. */
  uploadBatches: UploadBatches;
}

/** The scan of an upload, and the reader of its findings. */
interface Upload {
  scan: SbomReference;
  findings: FindingsReader;
  unlessVex: boolean;
}

/** `gone`: deleted in the meantime. */
type ScanOutcome = 'done' | 'gone';

/** How a scan is applied. */
export interface Applying {
  /** Only in a project without VEX documents; otherwise it fails with `VexDecidesFirst`. */
  unlessVex: boolean;
}

/** Pending uploads, batched by service. */
export type UploadBatches = BatchedByKey<Upload, ScanOutcome | Error>;

/** The maximum number of uploads of a service in one batch: twice what a process handles at once. */
const uploadsAtOnce = 64;

export function createUploadBatches(): UploadBatches {
  return createBatchers<Upload, ScanOutcome | Error>(uploadsAtOnce);
}

/**
 * Applies a scan to the vulnerabilities of its service, then publishes that the SBOM is reconciled.
 *
 * @throws VexDecidesFirst see `Applying`
 */
export async function reconcileSbom(
  deps: ReconcileSbomDeps,
  scan: SbomReference,
  { unlessVex }: Applying = { unlessVex: false },
): Promise<ScanOutcome> {
  const isUpload = scan.lane === 'upload' && scan.revision === 0;
  const end = await (isUpload
    ? appended(deps, scan, unlessVex)
    : bringUpToDate(deps, scan, { unlessVex }));
  if (end !== 'done') return end;
  const { sbom_id, revision, attempt } = scan;
  await deps.publishResult(sbomReconciled, { sbom_id, revision, attempt });
  return end;
}

async function appended(
  deps: ReconcileSbomDeps,
  scan: SbomReference,
  unlessVex: boolean,
): Promise<ScanOutcome> {
  const upload = { scan, findings: createFindingsReader(deps.scans, scan), unlessVex };
  const end = await deps.uploadBatches(scan.service_id, upload, (uploads) =>
    appendUploads(deps, uploads),
  );
  if (end instanceof Error) throw end;
  return end;
}

/**
 * Applies the scans of uploads to a service: in memory, in order of their sequence, then one write. The result equals that
 * of writing each alone. If one fails, each is applied alone. Idempotent; a scan of a deleted SBOM restores nothing.
 *
 * @param uploads of the same service, at least one
 * @returns the outcome of each, in order
 */
async function appendUploads(
  deps: ReconcileSbomDeps,
  uploads: readonly Upload[],
): Promise<(ScanOutcome | Error)[]> {
  const distinct = new Map(uploads.map((upload) => [upload.scan.sbom_id, upload]));
  const inOrder = [...distinct.values()].sort((a, b) => a.scan.seq - b.scan.seq);
  const gone = new Set<string>();
  try {
    const [{ scan }] = inOrder as [Upload];
    const unlessVex = uploads.some((one) => one.unlessVex);
    const plan = { ...planUploads(deps, inOrder, gone), unlessVex };
    const outcome = await changeService(deps, scan, plan);
    if (outcome === 'changed') deps.metrics.serviceStatesChanged.inc({ lane: 'upload' });
    const isGone = ({ sbom_id }: SbomReference): boolean =>
      outcome === 'deleted' || gone.has(sbom_id);
    return uploads.map((one) => (isGone(one.scan) ? 'gone' : 'done'));
  } catch (error) {
    if (uploads.length === 1) return [error as Error];
    const ends: (ScanOutcome | Error)[] = [];
    for (const upload of uploads) ends.push(...(await appendUploads(deps, [upload])));
    return ends;
  }
}

/** @param gone receives the ids of removed SBOMs */
function planUploads(
  { states }: ReconcileSbomDeps,
  uploads: readonly Upload[],
  gone: Set<string>,
): Plan {
  let attempted = false;
  return {
    async next(state, isLarge) {
      const head = state?.head;
      // That the next versions are not stored yet is a condition of the write; they are read only if it failed.
      const isUnsure = attempted || isLarge;
      attempted = true;
      const known = await Promise.all(
        uploads.map(async ({ scan: { sbom_id, seq } }) =>
          isUnsure || (head && seq <= head.seq) ? states.sbomVersion(sbom_id) : null,
        ),
      );
      for (const version of known) if (version && 'removed' in version) gone.add(version._id);
      const fresh = uploads.filter((_one, index) => known[index] === null);
      if (fresh.length === 0) return null;
      const scans = isLarge ? [] : await readAll(fresh, state ? state.max_revision : 0);
      const adding = fresh.map((one, index) => {
        const scan = scans[index];
        return { sbomVersion: sbomVersionOf(one.scan), ...(scan && { scan }) };
      });
      return { adding };
    },
  };
}

/** Reads the findings of an upload's component set, at least of this revision; undefined: the current ones. */
type FindingsReader = (revision: number | undefined) => Promise<Scan>;

/**
 * Starts reading the findings of an upload's component set while its service is read. The scan message has the advisory
 * revision of its evaluation; later changes reach the service as re-scans (ADR 0047). Cached findings therefore suffice
 * unless the service reflects later ones; if the revision is unknown, the scanner is queried.
 */
function createFindingsReader(scans: ScanReader, scan: SbomReference): FindingsReader {
  const { digest, evaluated_revision } = scan;
  const query = { digest, packages: null };
  let latest = scans.read(query, evaluated_revision);
  // The reader reports the failure.
  latest.catch(() => undefined);
  return async (revision) => {
    const known = revision === undefined ? null : await latest;
    if (known && known.revision >= (revision ?? 0)) return known;
    latest = scans.read(query, evaluated_revision === undefined ? undefined : revision);
    return latest;
  };
}

/** The findings of uploads in order. None is older than this revision, or than those before it. */
async function readAll(uploads: readonly Upload[], revision: number | undefined): Promise<Scan[]> {
  const reads = await Promise.all(uploads.map(({ findings }) => findings(revision)));
  let newest = revision ?? 0;
  const again = reads.map(async (read, index) => {
    if (read.revision < newest) return (uploads[index] as Upload).findings(newest);
    newest = read.revision;
    return read;
  });
  return Promise.all(again);
}

/**
 * Recomputes a service from all its SBOM versions with the scanner's current findings. Idempotent; a scan of a deleted
 * SBOM restores nothing (`gone`).
 *
 * @param how `packages`: those that an advisory change concerns, if known; the vulnerabilities of other packages keep
 *   their revision
 */
export async function bringUpToDate(
  deps: ReconcileSbomDeps,
  requested: SbomReference,
  { packages, unlessVex }: Partial<Applying> & { packages?: readonly string[] | undefined } = {},
): Promise<ScanOutcome> {
  // The request for a re-scan does not know when the SBOM was scanned: now, if it is new here.
  const scan = { scanned_at: new Date().toISOString(), ...requested };
  let gone = false;
  let repeated = false;
  const plan: Plan = {
    packages,
    unlessVex,
    async next(state) {
      const known = await deps.states.sbomVersion(scan.sbom_id);
      // A re-scan of another SBOM may already have brought the service to this revision.
      const isDone = state !== null && isBasedOn(state, { revision: scan.revision, packages });
      gone = known !== null && 'removed' in known;
      repeated = known !== null && isDone;
      // A repeated message also checks the acceptances: the process that wrote may have ended before.
      if (gone || repeated) return null;
      // Messages of two changes may overtake each other, so that cached scans are right for the older one only.
      const atLeast = scan.revision > 0 ? Math.max(scan.revision, state?.max_revision ?? 0) : 0;
      const recompute = { atLeast, changed_at: scan.changed_at };
      // A new version may bring vulnerabilities of any package.
      if (!known) return { adding: [{ sbomVersion: sbomVersionOf(scan) }], recompute };
      return { recompute, packages: state ? packages : undefined };
    },
  };
  const outcome = await changeService(deps, scan, plan);
  if (gone || outcome === 'deleted') return 'gone';
  const { lane, changed_at } = scan;
  if (outcome === 'changed') deps.metrics.serviceStatesChanged.inc({ lane });
  // The clocks of two machines may differ: a negative delay counts as 0.
  if (!repeated && changed_at !== undefined)
    deps.metrics.changeDelay.observe(Math.max(0, Date.now() - Date.parse(changed_at)) / 1000);
  return 'done';
}

/** The SBOM version of a scan. */
function sbomVersionOf(scan: SbomReference): SbomVersion {
  const { sbom_id, seq, digest, created_at, scanned_at } = scan;
  return { sbom_id, seq, digest, created_at, ...(scanned_at && { scanned_at }) };
}
