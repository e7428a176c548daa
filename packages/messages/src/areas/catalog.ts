import { z } from 'zod';
import { rpc } from '../define';
import { embeddedVexModes, type EmbeddedVexMode } from './vex';
import {
  digest,
  id,
  instant,
  page,
  pageOrPart,
  projectScope,
  type PartOf,
  type ScanStatus,
  type ServiceLevels,
} from './fields';
import {
  licensePolicy,
  licenseQuery,
  type LicensedComponent,
  type LicensePolicy,
} from './licenses';
import { alertThresholds, type AlertThreshold } from './notifier';
import { changedPackages } from './scan-messages';
import {
  contentNames,
  provenance,
  uploadTarget,
  type ContentNames,
  type ProvenanceView,
  type UploadResult,
} from './ingest';
import type { ServiceNames } from './names';
import { ownershipFields, ownershipFilter, type Ownership } from './ownership';
import { packageQuery, type ContainedPackage, type Unscanned } from './search';

/**
 * SBOMs to keep for each service: the last `keep_last`, and those younger than `keep_days` days. A
 * null bound keeps nothing; if both are null, everything is kept.
 */
export interface Retention {
  keep_last: number | null;
  keep_days: number | null;
}

/** The contract's ProjectResponse. */
export interface ProjectView extends Ownership {
  id: string;
  slug: string;
  name: string;
  description: string | null;
  repo_url: string | null;
  platform: string | null;
  /** Null: the default of the installation. */
  retention: Retention | null;
  /** Null: none. */
  service_levels: ServiceLevels | null;
  /** Null: none. */
  license_policy: LicensePolicy | null;
  /** Its services are products that are placed on the market (docs/rules.md CR1). */
  ships_products: boolean;
  /** What is done with the statements of SBOMs about vulnerabilities. */
  embedded_vex: EmbeddedVexMode;
  created_at: string;
  updated_at: string | null;
}

const bound = z.number().int().min(1).nullable();
const retention = z.object({ keep_last: bound, keep_days: bound }).nullable().optional();

const days = z.number().int().min(1).max(3650).nullable().optional();
const service_levels = z
  .object({ critical: days, high: days, medium: days, low: days, none: days, unknown: days })
  .nullable()
  .optional();

const license_policy = licensePolicy.nullable().optional();

const ships_products = z.boolean().optional();
const embedded_vex = z.enum(embeddedVexModes).optional();

const projectFields = {
  description: z.string().nullable(),
  repo_url: z.string().nullable(),
  platform: z.string().nullable(),
};

export const createProject = rpc<ProjectView>()({
  service: 'catalog',
  callers: ['gateway'],
  name: 'create-project.v1',
  request: z.object({
    name: z.string(),
    ...projectFields,
    retention,
    service_levels,
    license_policy,
    ships_products,
    embedded_vex,
    ...ownershipFields,
  }),
});

/** Absent fields stay unchanged. */
export const updateProject = rpc<ProjectView>()({
  service: 'catalog',
  callers: ['gateway'],
  name: 'update-project.v1',
  request: z.object({
    project_id: id,
    changes: z
      .object({
        name: z.string(),
        ...projectFields,
        retention,
        service_levels,
        ships_products,
        embedded_vex,
        license_policy,
        ...ownershipFields,
      })
      .partial(),
  }),
});

/**
 * Deletes a project with all its data. Responds once no read returns any of it. Of several callers
 * exactly one succeeds; the others get `project_not_found`. Retrying after `service_unavailable`
 * resumes.
 */
export const deleteProject = rpc<{ deleted: true }>()({
  service: 'catalog',
  callers: ['gateway'],
  name: 'delete-project.v1',
  request: z.object({ project_id: id }),
  timeoutMs: 60_000,
});

export const getProject = rpc<ProjectView>()({
  service: 'catalog',
  callers: ['gateway', 'ingest', 'reconciler', 'notifier'],
  name: 'get-project.v1',
  request: z.object({ project_id: id.nullable(), project_slug: z.string().nullable() }),
});

export const listProjects = rpc<PartOf<ProjectView>>()({
  service: 'catalog',
  callers: ['gateway'],
  name: 'list-projects.v1',
  request: pageOrPart.extend({
    name: z.string().optional(),
    slug: z.string().optional(),
    platform: z.string().optional(),
    /** Their own. */
    ...ownershipFilter.shape,
    /** Only these. */
    project_id: projectScope.optional(),
  }),
});

export interface HistoryItem extends ProvenanceView {
  id: string;
  version: string | null;
  format: string;
  dependency_count: number;
  created_at: string;
  /** As in `SbomRecord`. */
  retained: boolean;
  service_id: string;
  /** Null: the project-level service. */
  service_name: string | null;
  seq: number;
  scan_status: ScanStatus;
  /** Component-set digest; null once the content is dropped. Absent: of a catalog of an earlier release. */
  digest?: string | null;
}

export const listProjectHistory = rpc<PartOf<HistoryItem>>()({
  service: 'catalog',
  callers: ['gateway'],
  name: 'list-project-history.v1',
  request: pageOrPart.extend({ project_id: id, service_id: id.optional() }),
});

/**
 * The atomic step of an upload: returns the latest SBOM of the service if the upload duplicates it,
 * else creates the next record.
 */
export const registerSbom = rpc<UploadResult>()({
  service: 'catalog',
  callers: ['ingest'],
  name: 'register-sbom.v1',
  request: uploadTarget.extend({
    provenance: provenance.optional(),
    sha256: digest,
    digest,
    format: z.enum(['cyclonedx', 'spdx']),
    spec_version: z.string(),
    dependency_count: z.number().int(),
    /** `metadata.component.name`: the service name if the client gave none. */
    root_name: z.string().nullable(),
  }),
});

/** An SBOM record of the catalog. */
export interface SbomRecord extends ProvenanceView {
  id: string;
  project_id: string;
  service_id: string;
  /** Null: the project-level service. */
  service_name: string | null;
  seq: number;
  version: string | null;
  format: string;
  spec_version: string;
  sha256: string;
  digest: string;
  dependency_count: number;
  created_at: string;
  scan_status: ScanStatus;
  scanned_at: string | null;
  /** Human-readable reason of a failed scan. */
  scan_error: string | null;
  /** Thresholds at which its gate passed last. */
  gate_passed: AlertThreshold[];
  /** False: retention dropped the document, its components and its findings. */
  retained: boolean;
}

export const getSbom = rpc<SbomRecord>()({
  service: 'catalog',
  callers: ['gateway', 'reconciler'],
  name: 'get-sbom.v1',
  request: z.object({ sbom_id: id }),
});

/**
 * The baseline of a gate for `sbom_id`, of the same service. `named` null: the newest earlier SBOM
 * whose gate passed at `fail_on` or a stricter threshold, or null. Else the newest other SBOM with
 * this version, or the SBOM with this id; fails with `baseline_not_found`.
 */
export const findBaseline = rpc<{ baseline: SbomRecord | null }>()({
  service: 'catalog',
  callers: ['gateway'],
  name: 'find-baseline.v1',
  request: z.object({
    sbom_id: id,
    fail_on: z.enum(alertThresholds),
    named: z.string().nullable(),
  }),
});

/**
 * Stores the outcome of a gate: whether the SBOM is a baseline at `fail_on`. Idempotent. Fails with
 * `sbom_not_found`.
 */
export const recordGateOutcome = rpc<{ recorded: true }>()({
  service: 'catalog',
  callers: ['gateway'],
  name: 'record-gate-outcome.v1',
  request: z.object({ sbom_id: id, fail_on: z.enum(alertThresholds), passed: z.boolean() }),
});

export const deleteSbom = rpc<{ deleted: true }>()({
  service: 'catalog',
  callers: ['gateway'],
  name: 'delete-sbom.v1',
  request: z.object({ sbom_id: id }),
  timeoutMs: 30_000,
});

/**
 * Checks that the project and service exist. Fails with `project_not_found` or `service_not_found`.
 */
export const checkScope = rpc<{ service_id: string | null }>()({
  service: 'catalog',
  callers: ['reconciler', 'notifier'],
  name: 'check-scope.v1',
  request: z.object({ project_id: id, service_id: id.nullable() }),
});

/** Maximum component sets per `request-rescans` request. */
export const maxRescannedSets = 500;

/**
 * An advisory change altered the findings of these component sets: marks every service that uses
 * one of them for a re-scan. Responds once the marks are stored, so that the scanner can drop its
 * own. Idempotent.
 */
export const requestRescans = rpc<{ services: number }>()({
  service: 'catalog',
  callers: ['scanner'],
  name: 'request-rescans.v2',
  request: z.object({
    digests: z.array(digest).min(1).max(maxRescannedSets),
    revision: z.number().int().min(1),
    /** When the change took effect; null if unknown. */
    changed_at: instant.nullable(),
    /** Package keys affected by the change; null: any. */
    packages: changedPackages,
  }),
  timeoutMs: 60_000,
});

/** A service whose latest SBOM contains the package of the query. */
export interface ServiceUsing extends ServiceNames {
  sbom_id: string;
  /** Version of the SBOM. */
  version: string | null;
  /** Ascending by name and version. */
  packages: ContainedPackage[];
}

/**
 * Services whose latest SBOM contains a package, ordered by project, then service, oldest first.
 * `complete`: see `findPackageSets`.
 */
export const findServicesUsing = rpc<PartOf<ServiceUsing> & Unscanned & { complete: boolean }>()({
  service: 'catalog',
  callers: ['gateway'],
  name: 'find-services-using.v1',
  request: pageOrPart.extend({
    query: packageQuery,
    project_id: projectScope.optional(),
    ...ownershipFilter.shape,
  }),
  timeoutMs: 45_000,
});

/** A service whose latest SBOM has components with the licence of the query. */
export interface ServiceLicensed extends ServiceNames {
  sbom_id: string;
  /** Version of the SBOM. */
  version: string | null;
  /** Number of components. */
  components: number;
  /** The first of them by name. */
  first_components: LicensedComponent[];
}

/**
 * Services whose latest SBOM has components with a licence id or group, ordered like
 * `findServicesUsing`. `complete`, `similar`: see `findLicensedSets`; `known`: whether the text is a
 * licence id. Attachment of the response: JSON array of `ServiceLicensed`, as `packJson` packs it.
 */
export const findServicesLicensed = rpc<{
  total: number;
  complete: boolean;
  known: boolean;
  similar: string[];
}>()({
  service: 'catalog',
  callers: ['gateway'],
  name: 'find-services-licensed.v1',
  request: page.extend({
    query: licenseQuery,
    project_id: projectScope.optional(),
    ...ownershipFilter.shape,
  }),
  timeoutMs: 45_000,
});

/** Counts the latest SBOMs that are not scanned, of one project or of all. */
export const countUnscanned = rpc<Unscanned>()({
  service: 'catalog',
  callers: ['gateway'],
  name: 'count-unscanned.v1',
  request: z.object({ project_id: projectScope.optional() }),
});

/**
 * The part of this content that SBOM records refer to, including records whose delete has begun.
 */
export const findReferences = rpc<ContentNames>()({
  service: 'catalog',
  callers: ['ingest'],
  name: 'find-references.v1',
  request: contentNames,
});
