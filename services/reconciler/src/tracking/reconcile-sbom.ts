import { maxChangedPackages, sbomReconciled, type SbomReference } from '@bomtrail/messages';
import type { PublishResult } from '@bomtrail/messaging';
import { withPackageRevisions, isBasedOn } from './domain/package-revisions';
import { retained } from './domain/expired-versions';
import { recompute } from './domain/reconcile';
import type { SbomVersion } from './domain/types';
import type { Metrics } from '../metrics';
import type { ServiceStateDocument, SbomVersionDocument } from './store/documents';
import { sbomVersionOf, versionDocument } from './store/service-state-store';
import type { StoredService } from './store/write-changes';
import { appendUploads, type UploadBatches } from './append-uploads';
import { changeService } from './change-service';
import {
  reassignStatuses,
  type Decision,
  type ServiceDeps,
  type ServiceFacts,
  type VersionsChange,
} from './change-once';
import { findingsOf, scansOf, type ReadScansDeps } from './service-scans';

export interface ReconcileSbomDeps extends ServiceDeps, ReadScansDeps {
  metrics: Metrics;
  publishResult: PublishResult;
  /** Concurrent uploads of a service are reconciled in one batch. */
  uploadBatches: UploadBatches;
}

/** Applies a scan to the vulnerabilities of its service, then publishes that the SBOM is reconciled. */
export async function reconcileSbom(deps: ReconcileSbomDeps, scan: SbomReference): Promise<void> {
  const isUpload = scan.lane === 'upload' && scan.revision === 0;
  const end = await (isUpload ? appended(deps, scan) : bringUpToDate(deps, scan));
  if (end === 'gone') return;
  const { sbom_id, revision, attempt } = scan;
  await deps.publishResult(sbomReconciled, { sbom_id, revision, attempt });
}

async function appended(deps: ReconcileSbomDeps, scan: SbomReference): Promise<'done' | 'gone'> {
  const upload = { scan, findings: findingsOf(deps, scan) };
  const end = await deps.uploadBatches(scan.service_id, upload, (uploads) =>
    appendUploads(deps, uploads),
  );
  if (end instanceof Error) throw end;
  return end;
}

/**
 * Recomputes a service from all its SBOM versions with the scanner's current findings. Idempotent; a scan of
 * a deleted SBOM restores nothing (`gone`).
 *
 * @param packages the packages that an advisory change concerns, if known; the vulnerabilities of other
 *   packages keep their revision
 */
export async function bringUpToDate(
  deps: ReconcileSbomDeps,
  requested: SbomReference,
  packages?: readonly string[],
): Promise<'done' | 'gone'> {
  // The request for a re-scan does not know when the SBOM was scanned: now, if it is new here.
  const scan = { scanned_at: new Date().toISOString(), ...requested };
  let gone = false;
  let repeated = false;
  const sbomVersion = sbomVersionOf(scan);
  const decide = async (
    stored: StoredService,
    facts: ServiceFacts,
    scope?: readonly string[],
  ): Promise<Decision> => {
    // A re-scan of another SBOM may already have brought the service to this revision.
    const target = { revision: scan.revision, packages: scope };
    const done = stored.state !== null && isBasedOn(stored.state, target);
    const [known, existing] = await find(deps, scan, done);
    gone = known !== null && 'removed' in known;
    // A repeated message also checks the acceptances: the process that wrote may have ended before.
    repeated = known !== null && done;
    if (gone || repeated) return reassignStatuses(stored, facts, scope);

    // A new version may bring vulnerabilities of any package.
    if (scope && (!known || !stored.state)) return 'needs all vulnerabilities';
    const sbomVersions = existing ?? (await deps.states.sbomVersions(scan.service_id));
    const newVersions = known ? [] : [versionDocument(scan)];
    if (!known) sbomVersions.push(sbomVersion);
    // Messages of two changes may overtake each other, so that cached scans are right for the older one only.
    const atLeast =
      scan.revision > 0 ? Math.max(scan.revision, stored.state?.max_revision ?? 0) : 0;
    const { observations, revision, newest } = await scansOf(
      deps,
      retained(sbomVersions).map(({ digest }) => digest),
      { atLeast, packages: scope },
    );
    const change = {
      at: scan.changed_at ?? facts.now,
      added: new Set(known ? [] : [scan.sbom_id]),
    };
    const state = recompute({ ...facts, observations, change }, sbomVersions);
    if (!scope || !stored.state)
      return { state, replacedVersions: [], newVersions, revision, newest };
    const now = { revision, packages: [...scope] };
    const packageRevisions = withPackageRevisions(
      stored.state.package_revisions,
      now,
      maxChangedPackages,
    );
    return {
      state,
      replacedVersions: [],
      newVersions,
      revision: stored.state.revision,
      newest,
      packageRevisions,
    };
  };
  const versionsChange = async (
    state: ServiceStateDocument | null,
  ): Promise<VersionsChange | null> => {
    const done = state !== null && isBasedOn(state, { revision: scan.revision });
    const known = await deps.states.sbomVersion(scan.sbom_id);
    gone = known !== null && 'removed' in known;
    repeated = known !== null && done;
    if (gone || repeated) return null;
    return { newVersions: known ? [] : [versionDocument(scan)], removing: [], tombstones: [] };
  };
  const outcome = await changeService(deps, { ...scan, packages, versionsChange }, decide);
  if (gone || outcome === 'deleted') return 'gone';
  recordMetrics(deps.metrics, scan, { outcome, repeated });
  return 'done';
}

/** The version of the SBOM, null if there never was one; and, unless `done`, all versions. */
async function find(
  deps: ReconcileSbomDeps,
  scan: SbomReference,
  done: boolean,
): Promise<[SbomVersion | SbomVersionDocument | null, SbomVersion[] | null]> {
  if (done) return [await deps.states.sbomVersion(scan.sbom_id), null];
  const sbomVersions = await deps.states.sbomVersions(scan.service_id);
  const own = sbomVersions.find(({ sbom_id }) => sbom_id === scan.sbom_id);
  return [own ?? (await deps.states.sbomVersion(scan.sbom_id)), sbomVersions];
}

function recordMetrics(
  metrics: Metrics,
  scan: SbomReference,
  end: { outcome: 'changed' | 'unchanged'; repeated: boolean },
): void {
  const { lane, changed_at } = scan;
  if (end.outcome === 'changed') metrics.serviceStatesChanged.inc({ lane });
  if (end.repeated || changed_at === undefined) return;
  // The clocks of two machines may differ: a negative delay counts as 0.
  metrics.changeDelay.observe(Math.max(0, Date.now() - Date.parse(changed_at)) / 1000);
}
