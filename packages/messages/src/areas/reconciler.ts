import { z } from 'zod';
import type { SuggestedDecision } from './vex';
import { rpc } from '../define';
import type { AcceptanceView, DecisionKind, DecisionSource } from './acceptances';
import {
  digest,
  id,
  page,
  pageOrPart,
  projectScope,
  type PageOf,
  type PartOf,
  type Severity,
} from './fields';
import { listFilters } from './list-filters';
import type { KevEntry } from './risk';
import type { VulnerabilityDetails } from './scanner';

export const vulnerabilitySorts = [
  'cvss_score',
  'severity',
  'cve_id',
  'package_name',
  'first_seen_at',
  'published_at',
  'epss_score',
  'epss_percentile',
  'kev',
  'risk',
] as const;

/** `accepted`, `not_affected`, `false_positive`: open, and a decision takes it out of the active list. */
export const vulnerabilityStatuses = [
  'open',
  'fixed',
  'accepted',
  'not_affected',
  'false_positive',
] as const;
export type VulnerabilityStatus = (typeof vulnerabilityStatuses)[number];

/** The decision that determines the status of a vulnerability (docs/rules.md DC2). */
export interface DecisionReference {
  acceptance_id: string;
  decision: DecisionKind;
  source: DecisionSource;
  ticket_url: string | null;
  assignee: string | null;
  /** Another decision of another kind applies, too. Absent: an earlier release does not know. */
  contradicted?: boolean;
}

/** What the risk feeds say; null for nothing. `risk`: 0 to 100 (docs/rules.md RK3). */
export interface RiskView {
  epss_score: number | null;
  epss_percentile: number | null;
  kev: KevEntry | null;
  risk: number | null;
}

/** A tracked vulnerability in a list, without the names that the catalog owns. */
export interface VulnerabilityView extends VulnerabilityDetails, RiskView {
  id: string;
  package_name: string;
  package_version: string;
  package_versions: string[];
  purl: string;
  ecosystem: string;
  fixed_versions: string[];
  is_direct: boolean;
  /** The package is the root of the latest SBOM that contains it. */
  is_root: boolean;
  project_id: string;
  service_id: string;
  sbom_id: string;
  status: VulnerabilityStatus;
  /** Null: none applies, or the vulnerability is fixed. */
  decision: DecisionReference | null;
  first_seen_at: string;
  /** Since when the list shows it (docs/rules.md DT1 to DT5); null: unknown. */
  detected_at: string | null;
  /**
   * When it was known here that this is exploited: the later of `detected_at` and the first entry of
   * the CVE (docs/rules.md CR1); null: it is not known to be.
   */
  exploited_known_at: string | null;
  last_seen_at: string;
}

/**
 * The contract's brief record in an SBOM's detail. Additive: `is_direct`, `is_root`, `advisory_ids`
 * (of all versions), `package_versions`, `occurrences`.
 */
export interface BriefVulnerability extends BriefFacts, RiskView {}

/** The same without what the risk feeds say. */
export interface BriefFacts {
  id: string;
  cve_id: string;
  severity: Severity;
  cvss_score: number | null;
  package_name: string;
  package_version: string;
  purl: string;
  fixed_versions: string[];
  status: VulnerabilityStatus;
  /** Of the tracked vulnerability, whatever the SBOM; null: none applies. */
  decision: DecisionReference | null;
  /** Of the tracked vulnerability, whatever the SBOM; null: unknown. */
  detected_at: string | null;
  is_direct: boolean;
  /** The package is the root of the SBOM, not one of its dependencies. */
  is_root: boolean;
  advisory_ids: string[];
  /** Every affected version in the SBOM, ascending; `package_version` is the first. */
  package_versions: string[];
  /** In the list of an SBOM; its verdict has ids only. */
  title?: string;
  /** All ids, where there is a title. */
  aliases?: string[];
  /** Each affected component, by version; absent if there is only one. */
  occurrences?: Pick<BriefFacts, 'package_version' | 'purl' | 'fixed_versions' | 'advisory_ids'>[];
}

/** Longer than the time limit of a filtered list, which fails with a reason. */
export const filteredListMs = 30_000;

export const listActive = rpc<PageOf<VulnerabilityView>>()({
  service: 'reconciler',
  callers: ['gateway', 'notifier'],
  name: 'list-active.v1',
  request: page.extend({
    ...listFilters.shape,
    sort: z.enum(vulnerabilitySorts),
    order: z.enum(['asc', 'desc']),
  }),
  timeoutMs: filteredListMs,
});

/**
 * Open and accepted vulnerabilities that have or had this id (upper case), by project and service.
 * `former_id`: the id no longer names the vulnerability, because its aliases were corrected.
 */
export const findAffected = rpc<PartOf<VulnerabilityView & { former_id: boolean }>>()({
  service: 'reconciler',
  callers: ['gateway'],
  name: 'find-affected.v1',
  request: pageOrPart.extend({
    id: z.string().max(200),
    project_id: projectScope.optional(),
    service_ids: listFilters.shape.service_ids,
  }),
});

/** An SBOM in the history of a vulnerability; the catalog has its version (`name-sboms`). */
export interface SbomPoint {
  sbom_id: string;
  at: string;
}

/** A tracked vulnerability in any state, with the SBOMs that introduced and fixed it. */
export interface StateView extends VulnerabilityView {
  introduced_in: SbomPoint;
  /** Null unless fixed. */
  fixed_in: SbomPoint | null;
  /** How often it was reopened after a fix. */
  reopened: number;
}

/** Has exactly one of `sbom_id` and `acceptance_id`. */
export interface TimelineEventView {
  event:
    | 'opened'
    | 'reopened'
    | 'fixed'
    | 'accepted'
    | 'not_affected'
    | 'false_positive'
    | 'in_triage'
    | 'acceptance_expired';
  at: string;
  sbom_id?: string;
  acceptance_id?: string;
  /** Who decided and why; with `acceptance_id` only. */
  reason?: string;
  justification?: AcceptanceView['justification'];
  created_by?: AcceptanceView['created_by'];
  source?: DecisionSource;
}

/** A tracked vulnerability with its timeline. */
export interface VulnerabilityRecord extends StateView {
  /** Acceptances that apply now, or would apply if it came back, oldest first. */
  acceptances: AcceptanceView[];
  timeline: TimelineEventView[];
  /** False: earlier events are omitted. */
  /** Decisions that the newest SBOM suggests itself. */
  suggestions: SuggestedDecision[];
  timeline_complete: boolean;
}

/** Maximum presence intervals in a timeline, newest first. */
export const maxTimelineIntervals = 200;

/** A page of vulnerabilities; `total` null: it was not counted, as requested. */
export interface StatePage {
  items: StateView[];
  total: number | null;
  has_more: boolean;
}

/**
 * Lists vulnerabilities in these states (at least one). `count: false` leaves the total out where a filter would
 * have to be counted for it.
 */
export const listVulnerabilities = rpc<StatePage>()({
  service: 'reconciler',
  callers: ['gateway'],
  name: 'list-vulnerabilities.v1',
  request: page.extend({
    ...listFilters.shape,
    statuses: z.array(z.enum(vulnerabilityStatuses)).min(1),
    count: z.boolean().optional(),
    sort: z.enum(vulnerabilitySorts),
    order: z.enum(['asc', 'desc']),
  }),
  timeoutMs: filteredListMs,
});

/**
 * Reads a vulnerability by any id that it ever had: a merged id returns the remaining one.
 * `of_project`: the only projects that exist for the caller; null: all. Fails with
 * `vulnerability_not_found`, also if no SBOM contains the vulnerability any more.
 */
export const readVulnerability = rpc<VulnerabilityRecord>()({
  service: 'reconciler',
  callers: ['gateway'],
  name: 'read-vulnerability.v1',
  request: z.object({ vulnerability_id: id, of_project: projectScope.nullable() }),
});

export const summariseActive = rpc<Record<Severity | 'total', number>>()({
  service: 'reconciler',
  callers: ['gateway'],
  name: 'summarise-active.v1',
  request: listFilters,
  timeoutMs: filteredListMs,
});

/**
 * Timeout for documents with hundreds of thousands of findings, of which some thousand are read per
 * second.
 */
export const manyFindingsMs = 600_000;

/**
 * Attachment of the response: gzip'd JSON array of `BriefVulnerability`, one per tracked
 * vulnerability.
 */
export const listSbomVulnerabilities = rpc<{ count: number }>()({
  service: 'reconciler',
  callers: ['gateway'],
  name: 'list-sbom-vulnerabilities.v1',
  request: z.object({ sbom_id: id, service_id: id, seq: z.number().int(), digest }),
  timeoutMs: manyFindingsMs,
});

/** Whether no re-scan is pending for the removed SBOMs. */
const finished = z.boolean().optional();

/** Removes an SBOM from its service, before its delete is acknowledged. Idempotent. */
export const removeSbom = rpc<{ removed: true }>()({
  service: 'reconciler',
  callers: ['catalog'],
  name: 'remove-sbom.v1',
  request: z.object({ sbom_id: id, service_id: id, project_id: id, finished }),
  timeoutMs: 30_000,
});

/** Maximum SBOMs per `remove-sboms` request. */
export const maxRemovedSboms = 500;

/** Like `removeSbom`, for several SBOMs of a service, with one re-evaluation. */
export const removeSboms = rpc<{ removed: true }>()({
  service: 'reconciler',
  callers: ['catalog'],
  name: 'remove-sboms.v1',
  request: z.object({
    sbom_ids: z.array(id).min(1).max(maxRemovedSboms),
    service_id: id,
    project_id: id,
    finished,
  }),
  timeoutMs: 60_000,
});

/**
 * Records that the findings of these SBOMs of a service are about to be dropped: what they contain
 * stays as it is stored. Idempotent; SBOMs that were never reconciled are ignored.
 */
export const expireSboms = rpc<{ expired: true }>()({
  service: 'reconciler',
  callers: ['catalog'],
  name: 'expire-sboms.v1',
  request: z.object({ sbom_ids: z.array(id).min(1).max(maxRemovedSboms), service_id: id }),
});
