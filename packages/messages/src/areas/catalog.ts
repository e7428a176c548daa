import { z } from 'zod';
import { rpc } from '../define';
import { digest, id, instant, page, type PageOf, type ScanStatus } from './fields';
import { alertThresholds, type AlertThreshold } from './notifier';
import { changedPackages } from './scan-messages';
import { contentNames, uploadTarget, type ContentNames, type UploadResult } from './ingest';
import { packageQuery, type ContainedPackage, type Unscanned } from './search';

/**
 * How many SBOMs of each service are kept: the last `keep_last`, and those younger than `keep_days`
 * days. A bound that is null protects nothing; where both are, everything is kept.
 */
export interface Retention {
  keep_last: number | null;
  keep_days: number | null;
}

/** The contract's ProjectResponse. */
export interface ProjectView {
  id: string;
  slug: string;
  name: string;
  description: string | null;
  repo_url: string | null;
  platform: string | null;
  /** Null: what the installation has as its default. */
  retention: Retention | null;
  created_at: string;
  updated_at: string | null;
}

const bound = z.number().int().min(1).nullable();
/** Absent in questions of earlier releases. */
const retention = z.object({ keep_last: bound, keep_days: bound }).nullable().optional();

const projectFields = {
  description: z.string().nullable(),
  repo_url: z.string().nullable(),
  platform: z.string().nullable(),
};

export const createProject = rpc<ProjectView>()({
  service: 'catalog',
  name: 'create-project.v1',
  request: z.object({ name: z.string(), ...projectFields, retention }),
});

/** A field that is absent stays as it is. */
export const updateProject = rpc<ProjectView>()({
  service: 'catalog',
  name: 'update-project.v1',
  request: z.object({
    project_id: id,
    changes: z.object({ name: z.string(), ...projectFields, retention }).partial(),
  }),
});

/**
 * Deletes a project with everything of it. Answered once no read shows any of it; exactly one of
 * several callers is, the others get `project_not_found`. Repeating it after `service_unavailable`
 * resumes.
 */
export const deleteProject = rpc<{ deleted: true }>()({
  service: 'catalog',
  name: 'delete-project.v1',
  request: z.object({ project_id: id }),
  timeoutMs: 60_000,
});

export const getProject = rpc<ProjectView>()({
  service: 'catalog',
  name: 'get-project.v1',
  request: z.object({ project_id: id.nullable(), project_slug: z.string().nullable() }),
});

export const listProjects = rpc<PageOf<ProjectView>>()({
  service: 'catalog',
  name: 'list-projects.v1',
  request: page.extend({
    name: z.string().optional(),
    slug: z.string().optional(),
    platform: z.string().optional(),
  }),
});

export interface HistoryItem {
  id: string;
  version: string | null;
  format: string;
  dependency_count: number;
  created_at: string;
}

export const listProjectHistory = rpc<PageOf<HistoryItem>>()({
  service: 'catalog',
  name: 'list-project-history.v1',
  request: page.extend({ project_id: id }),
});

export interface ServiceView {
  id: string;
  name: string;
  project_id: string;
}

export const listServices = rpc<ServiceView[]>()({
  service: 'catalog',
  name: 'list-services.v1',
  request: z.object({ project_id: id }),
});

/**
 * Deletes a service, with its SBOMs where `cascade` says so; else one that has SBOMs is refused
 * (`service_has_sboms`). `project_id`: outside of this project no service exists for the caller;
 * null: it may see all. Who is answered, and repeating it: see `deleteProject`.
 */
export const deleteService = rpc<{ deleted: true }>()({
  service: 'catalog',
  name: 'delete-service.v1',
  request: z.object({ service_id: id, cascade: z.boolean(), project_id: id.nullable() }),
  timeoutMs: 60_000,
});

/** The one atomic step of an upload: a duplicate of the latest SBOM of its line, or the next record. */
export const registerSbom = rpc<UploadResult>()({
  service: 'catalog',
  name: 'register-sbom.v1',
  request: uploadTarget.extend({
    sha256: digest,
    digest,
    format: z.enum(['cyclonedx', 'spdx']),
    spec_version: z.string(),
    dependency_count: z.number().int(),
    /** `metadata.component.name`: the service when the client named none. */
    root_name: z.string().nullable(),
  }),
});

/** An SBOM record, as the catalog stores it. */
export interface SbomRecord {
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
  /** Why the scan failed, in words that anybody may read. Absent in answers of earlier releases. */
  scan_error?: string | null;
  /** The thresholds at which its gate passed last. */
  gate_passed: AlertThreshold[];
}

export const getSbom = rpc<SbomRecord>()({
  service: 'catalog',
  name: 'get-sbom.v1',
  request: z.object({ sbom_id: id }),
});

/**
 * The SBOM that a gate over `sbom_id` compares with, of the same service. `named` null: the newest earlier
 * one whose gate passed at `fail_on` or a stricter threshold, null where there is none. Else the newest
 * other one with this version, or the one with this id; fails with `baseline_not_found` where there is none.
 */
export const findBaseline = rpc<{ baseline: SbomRecord | null }>()({
  service: 'catalog',
  name: 'find-baseline.v1',
  request: z.object({
    sbom_id: id,
    fail_on: z.enum(alertThresholds),
    named: z.string().nullable(),
  }),
});

/**
 * Stores the outcome of a gate over an SBOM, so that it is, or no longer is, a baseline at `fail_on`.
 * Repeating it changes nothing. Fails with `sbom_not_found`.
 */
export const recordGateOutcome = rpc<{ recorded: true }>()({
  service: 'catalog',
  name: 'record-gate-outcome.v1',
  request: z.object({ sbom_id: id, fail_on: z.enum(alertThresholds), passed: z.boolean() }),
});

export const deleteSbom = rpc<{ deleted: true }>()({
  service: 'catalog',
  name: 'delete-sbom.v1',
  request: z.object({ sbom_id: id }),
  timeoutMs: 30_000,
});

/** Names for the version lines on one page of a list. */
export interface ServiceNames {
  service_id: string;
  project_id: string;
  project_name: string;
  /** Absent in answers of earlier releases. */
  project_slug?: string;
  /** Null: the project-level service. */
  service_name: string | null;
}

export const nameServices = rpc<ServiceNames[]>()({
  service: 'catalog',
  name: 'name-services.v1',
  request: z.object({ service_ids: z.array(id).max(200) }),
});

/** SBOMs that one question for their versions may name: those of a page, or of a timeline. */
export const maxNamedSboms = 500;

/** The versions of SBOMs; one that is not known is left out. */
export const nameSboms = rpc<{ sbom_id: string; version: string | null }[]>()({
  service: 'catalog',
  name: 'name-sboms.v1',
  request: z.object({ sbom_ids: z.array(id).max(maxNamedSboms) }),
});

/** Does this scope exist? Fails with `project_not_found` or `service_not_found`. */
export const checkScope = rpc<{ service_id: string | null }>()({
  service: 'catalog',
  name: 'check-scope.v1',
  request: z.object({ project_id: id, service_id: id.nullable() }),
});

/** Component sets that one question about re-scans may name. */
export const maxRescannedSets = 500;

/**
 * An advisory change moved the findings of component sets that were evaluated before: every line that
 * holds one of them is to be brought up to date, each once. Answered once that is stored as owed, so
 * that the scanner need not remember it any longer; repeating it is harmless.
 */
export const requestRescans = rpc<{ services: number }>()({
  service: 'catalog',
  name: 'request-rescans.v2',
  request: z.object({
    digests: z.array(digest).min(1).max(maxRescannedSets),
    revision: z.number().int().min(1),
    /** When the change came into force; null where that is not known. */
    changed_at: instant.nullable(),
    /** Absent counts as null. */
    packages: changedPackages.optional(),
  }),
  timeoutMs: 60_000,
});

/** The same for one set, as scanners of release 1.0.1 ask it. */
export const requestRescansOfSet = rpc<{ services: number }>()({
  service: 'catalog',
  name: 'request-rescans.v1',
  request: z.object({ digest, revision: z.number().int().min(1) }),
  timeoutMs: 60_000,
});

/** A service, or a project itself, whose latest SBOM holds the package that was searched for. */
export interface ServiceUsing extends ServiceNames {
  sbom_id: string;
  /** The SBOM's own version. */
  version: string | null;
  /** Ascending by name and version. */
  packages: ContainedPackage[];
}

/**
 * Who holds a package now: the latest SBOM of each line counts. By project, then by line, in the order
 * in which they were made. `complete`: see the scanner's `find-package-sets`.
 */
export const findServicesUsing = rpc<PageOf<ServiceUsing> & Unscanned & { complete: boolean }>()({
  service: 'catalog',
  name: 'find-services-using.v1',
  request: page.extend({ query: packageQuery, project_id: id.optional() }),
  timeoutMs: 45_000,
});

/** The latest SBOMs that say nothing yet, of one project or of all. */
export const countUnscanned = rpc<Unscanned>()({
  service: 'catalog',
  name: 'count-unscanned.v1',
  request: z.object({ project_id: id.optional() }),
});

/** Items of one answer to the two questions below. */
export const maxServicesListed = 500;
export const maxServiceSbomsListed = 1_000;

/**
 * The version lines of one project or of all, by id, behind `after`. `next`: what to ask behind for more,
 * null at the end.
 */
export const listAllServices = rpc<{ services: ServiceNames[]; next: string | null }>()({
  service: 'catalog',
  name: 'list-all-services.v1',
  request: z.object({
    project_id: id.optional(),
    after: id.nullable(),
    limit: z.number().int().min(1).max(maxServicesListed),
  }),
});

/** An SBOM of a line as the catalog holds it, for whoever compares its own log with it. */
export interface ServiceSbom {
  sbom_id: string;
  seq: number;
  digest: string;
  created_at: string;
  scan_status: ScanStatus;
  /** An advisory change is owed that the lists do not show yet. */
  rescan_pending: boolean;
  /** Its delete has begun: no read shows it. */
  deleting: boolean;
}

/**
 * The SBOMs of a line in the order of their sequence, deleted ones as long as they are not purged.
 * `service`: `deleting` while something of a deleted service or project may be left, `unknown` where the
 * catalog has nothing of it.
 */
export const listServiceSboms = rpc<{
  service: 'there' | 'deleting' | 'unknown';
  project_id: string | null;
  sboms: ServiceSbom[];
}>()({
  service: 'catalog',
  name: 'list-service-sboms.v1',
  request: z.object({
    service_id: id,
    after_seq: z.number().int().min(0),
    limit: z.number().int().min(1).max(maxServiceSbomsListed),
  }),
});

/** Which of this content an SBOM record refers to, one whose delete has begun too. */
export const findReferences = rpc<ContentNames>()({
  service: 'catalog',
  name: 'find-references.v1',
  request: contentNames,
});
