import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { ConsumerDefinition, MessageDefinition } from '../define';
import { digest, id, instant } from './fields';

/** Uploads go first; re-scans after an advisory change and back-fills have their own lane. */
export const lanes = ['upload', 'rescan'] as const;

/** Project buckets in a lane: a subject token that allows a busy project to be separated. */
const projectBuckets = 16;

/** Bucket of a project: the last hex digit of its id, random in a version 7 UUID. */
export function bucketOf(projectId: string): number {
  return Number.parseInt(projectId.slice(-1), 16) % projectBuckets;
}

/** Reference to one SBOM of a service, with everything that a scan needs: ids and digests only. */
export const sbomReference = z.object({
  sbom_id: id,
  project_id: id,
  service_id: id,
  seq: z.number().int().min(1),
  digest,
  created_at: instant,
  lane: z.enum(lanes),
  /** Advisory revision that requires the re-scan, 0 for an upload. */
  revision: z.number().int().min(0),
  /**
   * 0 for the first attempt; a sweep sets the time in seconds, to pass the broker's duplicate
   * window.
   */
  attempt: z.number().int().min(0),
  /** When the advisory change behind a re-scan took effect; absent if unknown. */
  changed_at: instant.optional(),
  /**
   * Of a completed scan: advisory revision of the findings, 0 if any that are not older than those
   * of the service will do; absent if unknown.
   */
  evaluated_revision: z.number().int().min(0).optional(),
  /** Of a completed scan of an upload: when it ended; absent if unknown. */
  scanned_at: instant.optional(),
});
export type SbomReference = z.infer<typeof sbomReference>;

export const scanRequested: MessageDefinition<SbomReference> = {
  name: 'scan.requested.v1',
  stream: 'WORK',
  publishers: ['catalog', 'scanner', 'reconciler'],
  payload: sbomReference,
  subjectOf: (scan) => `scan.requested.v1.${scan.lane}.${bucketOf(scan.project_id)}`,
  keyOf: (scan) => `scan:${scan.sbom_id}:${scan.revision}:${scan.attempt}`,
  doneWhen: "catalog: the SBOM record's scan_status is no longer pending, its rescan mark is gone",
  sweptBy: 'catalog sweep pending-scans',
};

export const scanCompleted: MessageDefinition<SbomReference> = {
  name: 'scan.completed.v1',
  stream: 'EVENTS',
  // The catalog: for an upload whose component set the service already reflects.
  publishers: ['scanner', 'catalog'],
  payload: sbomReference,
  subjectOf: (scan) => `scan.completed.v1.${scan.lane}`,
  keyOf: (scan) => `scanned:${scan.sbom_id}:${scan.revision}:${scan.attempt}`,
  doneWhen: "catalog: the SBOM record's scan_status is no longer pending, its rescan mark is gone",
  sweptBy: 'catalog sweep pending-scans (requests the scan again, which is cheap the second time)',
};

const scanFailure = z.object({
  sbom_id: id,
  /** Human-readable, without secrets. */
  reason: z.string().max(500),
  attempt: sbomReference.shape.attempt.optional(),
});

export const scanFailed: MessageDefinition<z.infer<typeof scanFailure>> = {
  name: 'scan.failed.v1',
  stream: 'EVENTS',
  publishers: ['scanner', 'reconciler'],
  payload: scanFailure,
  subjectOf: () => 'scan.failed.v1',
  keyOf: ({ sbom_id, attempt }) => `scan-failed:${sbom_id}${attempt ? `:${attempt}` : ''}`,
  doneWhen: "catalog: the SBOM record's scan_status is failed",
  sweptBy: 'catalog sweep pending-scans',
};

const reconciled = sbomReference.pick({ sbom_id: true, revision: true, attempt: true });

/** The findings of an SBOM are applied to its service. */
export const sbomReconciled: MessageDefinition<z.infer<typeof reconciled>> = {
  name: 'sbom.reconciled.v1',
  stream: 'EVENTS',
  publishers: ['reconciler'],
  payload: reconciled,
  subjectOf: () => 'sbom.reconciled.v1',
  keyOf: (event) => `reconciled:${event.sbom_id}:${event.revision}:${event.attempt}`,
  doneWhen: "catalog: the SBOM record's scan_status is scanned",
  sweptBy: 'catalog sweep pending-scans',
};

/** Maximum SBOMs per message. */
export const maxRescannedSboms = 64;
/** Above this number of packages a re-scan evaluates the whole service instead. */
export const maxChangedPackages = 50;

/** Package keys (`Finding.package_key`) affected by an advisory change; null: any. */
export const changedPackages = z.array(z.string()).max(maxChangedPackages).nullable();

const rescanRequest = z.object({
  /** One for each service. */
  sboms: z
    .array(
      sbomReference.omit({
        lane: true,
        revision: true,
        attempt: true,
        changed_at: true,
        evaluated_revision: true,
        scanned_at: true,
      }),
    )
    .min(1)
    .max(maxRescannedSboms),
  /** Advisory revision to apply. */
  revision: z.number().int().min(1),
  packages: changedPackages,
  changed_at: sbomReference.shape.changed_at,
});
export type RequestedRescan = z.infer<typeof rescanRequest>;

/**
 * An evaluated advisory change altered the findings of these SBOMs: their services are re-evaluated
 * in a batch, without a scan.
 */
export const rescanRequested: MessageDefinition<RequestedRescan> = {
  name: 'rescan.requested.v1',
  stream: 'EVENTS',
  publishers: ['catalog'],
  payload: rescanRequest,
  subjectOf: () => 'rescan.requested.v1',
  keyOf: ({ revision, packages, sboms }) =>
    `rescan-requested:${revision}:${hashOf([packages, ...sboms.map(({ sbom_id }) => sbom_id)])}`,
  doneWhen: "catalog: the SBOM records' rescan marks are gone",
  sweptBy: 'catalog sweep pending-scans (requests a scan of each)',
};

const rescanCompletion = z.object({
  sbom_ids: z.array(id).min(1).max(maxRescannedSboms),
  revision: z.number().int().min(1),
  packages: changedPackages,
});
export type CompletedRescan = z.infer<typeof rescanCompletion>;

/**
 * The services of these SBOMs reflect the findings of the revision, at least for these packages.
 */
export const rescanCompleted: MessageDefinition<CompletedRescan> = {
  name: 'rescan.completed.v1',
  stream: 'EVENTS',
  publishers: ['reconciler'],
  payload: rescanCompletion,
  subjectOf: () => 'rescan.completed.v1',
  keyOf: ({ revision, packages, sbom_ids }) =>
    `rescan-completed:${revision}:${hashOf([packages, ...sbom_ids])}`,
  doneWhen: "catalog: the SBOM records' rescan marks are gone",
  sweptBy: 'catalog sweep pending-scans',
};

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32);
}

const vulnerabilityChange = z.object({
  service_id: id,
  project_id: id,
  /** Version of the service state after the change; with the service id the natural key. */
  state_version: z.number().int(),
});

/**
 * The tracked vulnerabilities of a service changed: wakes the notifier, which reads what it needs.
 */
export const vulnerabilityChanged: MessageDefinition<z.infer<typeof vulnerabilityChange>> = {
  name: 'vulnerability.changed.v1',
  stream: 'EVENTS',
  publishers: ['reconciler'],
  payload: vulnerabilityChange,
  subjectOf: () => 'vulnerability.changed.v1',
  keyOf: (event) => `changed:${event.service_id}:${event.state_version}`,
  doneWhen: 'none: only a hint',
  sweptBy: 'notifier: its periodic check reads every service',
};

function consumer<Payload>(
  message: MessageDefinition<Payload>,
  rest: Omit<ConsumerDefinition<Payload>, 'message' | 'maxAttempts' | 'watchers'> &
    Partial<Pick<ConsumerDefinition<Payload>, 'watchers'>>,
): ConsumerDefinition<Payload> {
  return { message, maxAttempts: 8, watchers: [], ...rest };
}

/** Keeps the backlog of one project from delaying an upload of another. */
const ofProject = ({ project_id }: SbomReference): string => project_id;

export const scannerUploads = consumer(scanRequested, {
  durable: 'scanner-uploads',
  service: 'scanner',
  watchers: ['catalog'],
  filterSubject: 'scan.requested.v1.upload.*',
  concurrency: 32,
  fairnessKeyOf: ofProject,
});
export const scannerRescans = consumer(scanRequested, {
  durable: 'scanner-rescans',
  service: 'scanner',
  watchers: ['catalog'],
  filterSubject: 'scan.requested.v1.rescan.*',
  concurrency: 8,
  fairnessKeyOf: ofProject,
});
export const reconcilerUploads = consumer(scanCompleted, {
  durable: 'reconciler-uploads',
  service: 'reconciler',
  watchers: ['catalog'],
  filterSubject: 'scan.completed.v1.upload',
  concurrency: 32,
  fairnessKeyOf: ofProject,
});
export const reconcilerRescans = consumer(scanCompleted, {
  durable: 'reconciler-rescans',
  service: 'reconciler',
  watchers: ['catalog'],
  filterSubject: 'scan.completed.v1.rescan',
  concurrency: 8,
  fairnessKeyOf: ofProject,
});
export const reconcilerPackageRescans = consumer(rescanRequested, {
  durable: 'reconciler-package-rescans',
  service: 'reconciler',
  watchers: ['catalog'],
  filterSubject: 'rescan.requested.v1',
  concurrency: 2,
});
export const catalogRescans = consumer(rescanCompleted, {
  durable: 'catalog-rescans',
  service: 'catalog',
  filterSubject: 'rescan.completed.v1',
  concurrency: 4,
});
export const catalogReconciled = consumer(sbomReconciled, {
  durable: 'catalog-reconciled',
  service: 'catalog',
  filterSubject: 'sbom.reconciled.v1',
  concurrency: 256,
});
export const catalogScanFailures = consumer(scanFailed, {
  durable: 'catalog-scan-failures',
  service: 'catalog',
  filterSubject: 'scan.failed.v1',
  concurrency: 4,
});
export const notifierChanges = consumer(vulnerabilityChanged, {
  durable: 'notifier-changes',
  service: 'notifier',
  filterSubject: 'vulnerability.changed.v1',
  concurrency: 64,
});
