import { z } from 'zod';
import { rpc } from '../define';
import { alertThresholds } from './notifier';
import { digest, id, page, type PageOf, type Severity } from './fields';
import type { VulnerabilityDetails } from './scanner';

export const severities = ['critical', 'high', 'medium', 'low', 'none', 'unknown'] as const;
export const vulnerabilitySorts = [
  'cvss_score',
  'severity',
  'cve_id',
  'package_name',
  'first_seen_at',
  'published_at',
  'epss_score',
] as const;

export const vulnerabilityStatuses = ['open', 'fixed', 'accepted'] as const;
export type VulnerabilityStatus = (typeof vulnerabilityStatuses)[number];

/** A tracked vulnerability as the lists show it, without the names that the catalog owns. */
export interface VulnerabilityView extends VulnerabilityDetails {
  id: string;
  package_name: string;
  package_version: string;
  package_versions: string[];
  purl: string;
  ecosystem: string;
  fixed_versions: string[];
  is_direct: boolean;
  /** The package is what the latest SBOM that contains it is about. */
  is_root: boolean;
  project_id: string;
  service_id: string;
  sbom_id: string;
  status: VulnerabilityStatus;
  first_seen_at: string;
  last_seen_at: string;
}

/** The contract's brief record, in an SBOM's detail. Additive: `is_direct`, `is_root`, `advisory_ids` (of all versions), `package_versions`, `occurrences`. */
export interface BriefVulnerability {
  id: string;
  cve_id: string;
  severity: Severity;
  cvss_score: number | null;
  package_name: string;
  package_version: string;
  purl: string;
  fixed_versions: string[];
  status: VulnerabilityStatus;
  is_direct: boolean;
  /** The package is what the SBOM is about, not one of its dependencies. */
  is_root: boolean;
  advisory_ids: string[];
  /** Every affected version in the SBOM, ascending; `package_version` is the first. */
  package_versions: string[];
  /** Each component, by version; absent where there is only one. */
  occurrences?: Pick<
    BriefVulnerability,
    'package_version' | 'purl' | 'fixed_versions' | 'advisory_ids'
  >[];
}

const scope = { project_id: id.optional(), service_id: id.optional() };

export const listActive = rpc<PageOf<VulnerabilityView>>()({
  service: 'reconciler',
  name: 'list-active.v1',
  request: page.extend({
    ...scope,
    severity: z.array(z.enum(severities)).optional(),
    cve_id: z.string().optional(),
    sort: z.enum(vulnerabilitySorts),
    order: z.enum(['asc', 'desc']),
  }),
});

/**
 * Rows that are open or accepted and stand, or stood, for this id (upper case), by project and line.
 * `former_id`: the ids of the row no longer name it, because its aliases were corrected.
 */
export const findAffected = rpc<PageOf<VulnerabilityView & { former_id: boolean }>>()({
  service: 'reconciler',
  name: 'find-affected.v1',
  request: page.extend({ id: z.string().max(200), project_id: id.optional() }),
});

/** An SBOM in the life of a vulnerability; its version is the catalog's (`name-sboms`). */
export interface SbomPoint {
  sbom_id: string;
  at: string;
}

/** A tracked vulnerability in whatever state, and the SBOMs that made it what it is. */
export interface StateView extends VulnerabilityView {
  introduced_in: SbomPoint;
  /** Null unless it is fixed. */
  fixed_in: SbomPoint | null;
  /** How often it came back after it was fixed. */
  reopened: number;
}

/** Exactly one of `sbom_id` and `acceptance_id` is there. */
export interface TimelineEventView {
  event: 'opened' | 'reopened' | 'fixed' | 'accepted' | 'acceptance_expired';
  at: string;
  sbom_id?: string;
  acceptance_id?: string;
}

/** Everything about one tracked vulnerability. */
export interface VulnerabilityRecord extends StateView {
  /** Those that cover it now, or will when it comes back, oldest first. */
  acceptances: AcceptanceView[];
  timeline: TimelineEventView[];
  /** False: earlier events are left out. */
  timeline_complete: boolean;
}

/** Runs of which one record tells the events, from the newest. */
export const maxTimelineIntervals = 200;

/** Rows of which a list is sorted in memory, at most. Beyond it only the order by score is there, which an index has. */
export const maxSortedVulnerabilities = 250_000;

/**
 * Rows in these states (at least one), on one page. `sortable` false: more than
 * `maxSortedVulnerabilities` match, so that they are not given in this order.
 */
export const listVulnerabilities = rpc<PageOf<StateView> & { sortable: boolean }>()({
  service: 'reconciler',
  name: 'list-vulnerabilities.v1',
  request: page.extend({
    ...scope,
    statuses: z.array(z.enum(vulnerabilityStatuses)).min(1),
    severity: z.array(z.enum(severities)).optional(),
    cve_id: z.string().optional(),
    sort: z.enum(vulnerabilitySorts),
    order: z.enum(['asc', 'desc']),
  }),
  timeoutMs: 30_000,
});

/**
 * By any id that a row was ever known by: one that was merged gives the row that stands for it.
 * `of_project`: the only project that exists for the caller; null: all do. Fails with
 * `vulnerability_not_found`, also for what no SBOM holds any more.
 */
export const readVulnerability = rpc<VulnerabilityRecord>()({
  service: 'reconciler',
  name: 'read-vulnerability.v1',
  request: z.object({ vulnerability_id: id, of_project: id.nullable() }),
});

export const summariseActive = rpc<Record<Severity | 'total', number>>()({
  service: 'reconciler',
  name: 'summarise-active.v1',
  request: z.object(scope),
});

/** A document may have hundreds of thousands of findings: of so many some thousand a second are read. */
const manyFindingsMs = 600_000;

/** Attachment of the answer: gzip'd JSON array of `BriefVulnerability`, one per tracked vulnerability. */
export const listSbomVulnerabilities = rpc<{ count: number }>()({
  service: 'reconciler',
  name: 'list-sbom-vulnerabilities.v1',
  request: z.object({ sbom_id: id, service_id: id, seq: z.number().int(), digest }),
  timeoutMs: manyFindingsMs,
});

/** Findings that stop a gate and are shown with its verdict, at most. */
export const maxFailingShown = 100;

/** How many vulnerabilities there are of each severity. */
export type SeverityCounts = Record<Severity, number>;

/** A finding that stops a gate. `is_new`: the baseline does not have it; null: that is not known. */
export type FailingVulnerability = BriefVulnerability & { is_new: boolean | null };

/** What a gate counts in one SBOM; each tracked vulnerability once. Accepted ones are in `accepted` only. */
export interface FindingCounts {
  counts: SeverityCounts;
  /** Those that the baseline does not have; all of them where there is no baseline; null: not known. */
  new_counts: SeverityCounts | null;
  accepted: number;
  failing: number;
  /** The advisory revision that the findings of both are right for. */
  revision: number;
  /**
   * Findings of today's advisories of which the lists do not say yet what the verdict hangs on: they have
   * no row, so that they are not counted, or the one that counts for them shows another alias group.
   */
  unplaced: number;
}

const serviceSbom = z.object({ sbom_id: id, digest });

/**
 * Counts what stops a gate at `fail_on`, of everything or only of what the `baseline` does not have. Both
 * SBOMs are read at one moment. Attachment of the answer: gzip'd JSON array of the worst
 * `maxFailingShown` as `FailingVulnerability`. Fails with `sbom_not_found` where one of them is gone.
 */
export const countFindings = rpc<FindingCounts>()({
  service: 'reconciler',
  name: 'count-findings.v1',
  request: z.object({
    service_id: id,
    sbom: serviceSbom,
    /** `unknown`: there is one, but it was not scanned yet. */
    baseline: z.union([serviceSbom, z.literal('none'), z.literal('unknown')]),
    fail_on: z.enum(alertThresholds),
    only_new: z.boolean(),
  }),
  timeoutMs: manyFindingsMs,
});

/** No advisory change is owed to what is removed; catalogs of release 1.0.1 do not say it. */
const finished = z.boolean().optional();

/** Takes an SBOM out of its line for good, before its delete is acknowledged; repeating it does nothing more. */
export const removeSbom = rpc<{ removed: true }>()({
  service: 'reconciler',
  name: 'remove-sbom.v1',
  request: z.object({ sbom_id: id, service_id: id, project_id: id, finished }),
  timeoutMs: 30_000,
});

/** SBOMs of one line that one question may remove. */
export const maxRemovedSboms = 500;

/** The same for several SBOMs of one line, which is brought up to date once. */
export const removeSboms = rpc<{ removed: true }>()({
  service: 'reconciler',
  name: 'remove-sboms.v1',
  request: z.object({
    sbom_ids: z.array(id).min(1).max(maxRemovedSboms),
    service_id: id,
    project_id: id,
    finished,
  }),
  timeoutMs: 60_000,
});

/** The contract's RiskAcceptanceResponse with the additive `expires_at` and `created_by`. */
export interface AcceptanceView {
  id: string;
  project_id: string;
  service_id: string | null;
  vulnerability_id: string;
  reason: string;
  /** The API key that it was given with; null where that was not kept. */
  created_by: { key_id: string; key_prefix: string } | null;
  expires_at: string | null;
  created_at: string;
  updated_at: string;
}

export const createAcceptance = rpc<AcceptanceView>()({
  service: 'reconciler',
  name: 'create-acceptance.v1',
  request: z.object({
    project_id: id,
    service_id: id.nullable(),
    vulnerability_id: id,
    reason: z.string(),
    expires_at: z.string().nullable(),
    /** Absent from gateways of release 1.0.1. */
    created_by: z.object({ key_id: id, key_prefix: z.string() }).optional(),
  }),
  timeoutMs: 60_000,
});

export const listAcceptances = rpc<PageOf<AcceptanceView>>()({
  service: 'reconciler',
  name: 'list-acceptances.v1',
  request: page.extend({ project_id: id.optional() }),
});

/**
 * With `of_project` the acceptance exists only when it belongs to that project; a reconciler that does
 * not know the field must not answer, hence v2. Fails with `acceptance_not_found`.
 */
export const deleteAcceptance = rpc<{ deleted: true }>()({
  service: 'reconciler',
  name: 'delete-acceptance.v2',
  request: z.object({ acceptance_id: id, of_project: id.nullable().optional() }),
  timeoutMs: 60_000,
});

/** Lines that one page of `list-service-states` has at most, and rows that one of `list-alert-periods` has. */
export const maxListedServiceStates = 500;
export const maxListedAlertPeriods = 1000;
/** Lines that one question for episodes may name. */
export const maxAlertPeriodServices = 200;

/**
 * The lines of a project, by id, each with the version of its ledger, which grows with every change of its
 * rows: of a line whose version is the same nothing is new. Acceptances that have expired are brought
 * into the rows before. A deleted project or line is left out. `next`: what to ask `after` for the rest; null: that was all.
 */
export const listServiceStates = rpc<{
  /** `traceparent`: place in its trace of what changed the line last; absent where it was not traced. */
  states: { service_id: string; version: number; traceparent?: string }[];
  next: string | null;
}>()({
  service: 'reconciler',
  name: 'list-service-states.v1',
  request: z.object({
    project_id: id,
    after: id.nullable(),
    limit: z.number().int().min(1).max(maxListedServiceStates),
  }),
});

/** A row of the active list as an alert tells it. */
export interface AlertPeriodView {
  vulnerability_id: string;
  service_id: string;
  /**
   * Since when it is listed at or above the threshold, without a break: this names the episode (ISO 8601,
   * milliseconds). It was opened then, re-opened, is no longer accepted, or was raised over the threshold.
   */
  alertPeriod: string;
  /**
   * The same for every higher threshold that it was ever above in this episode, the episode itself included: whoever
   * was told of one of them was told of this episode.
   */
  notified_by: string[];
  severity: Severity;
  cvss_score: number | null;
  cve_id: string;
  title: string;
  package_name: string;
  package_version: string;
  ecosystem: string;
  fixed_versions: string[];
  first_seen_at: string;
}

/**
 * What is listed (open and not accepted) at or above a threshold in these lines of a project, by line. Threshold
 * `low` has what is of unknown severity too. `next`: as above; it is no id, and what it says is the reconciler's affair.
 */
export const listAlertPeriods = rpc<{ alertPeriods: AlertPeriodView[]; next: string | null }>()({
  service: 'reconciler',
  name: 'list-alert-periods.v1',
  request: z.object({
    project_id: id,
    service_ids: z.array(id).min(1).max(maxAlertPeriodServices),
    threshold: z.enum(alertThresholds),
    after: z.string().max(100).nullable(),
    limit: z.number().int().min(1).max(maxListedAlertPeriods),
  }),
});
