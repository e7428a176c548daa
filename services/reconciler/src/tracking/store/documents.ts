import type {
  AcceptanceView,
  RuleFilter,
  Severity,
  VulnerabilityDetails,
} from '@bomtrail/messages';
import type { Decided, DecidedPackage } from '../domain/decision-types';
import type { Markable } from '@bomtrail/deletion';
import type { RatedValues } from '../../risk/domain/risk-values';
import type { PackageRevisions } from '../domain/package-revisions';
import type { AlertPeriods, SbomVersion, TrackedVulnerability } from '../domain/types';
import type { StatusCounts } from './count-keys';

/**
 * A project as far as this service knows it. Every transaction that adds to a project (a first vulnerability,
 * an acceptance) or deletes a service writes this document, so that nothing is added concurrently with a
 * delete. It stays when the project is deleted.
 */
export interface KnownProjectDocument {
  _id: string;
  changes: number;
  /** The project was deleted. `hidden`: not purged yet. */
  deletion_state?: 'hidden' | 'purged';
}

/** One document per service. Every write to the vulnerabilities of a service is conditional on its version. */
export interface ServiceStateDocument {
  /** The service's id. */
  _id: string;
  project_id: string;
  /** Increases with every write to the service; 0: nothing was written yet. */
  version: number;
  /** The newest scanned SBOM: `sbom_id` and `last_seen_at` of every present vulnerability. */
  head: SbomVersion | null;
  /** The minimum advisory revision of all vulnerabilities: older changes are already applied. */
  revision: number;
  /** The maximum advisory revision of any vulnerability. Older scans are not applied. Absent: unknown. */
  max_revision?: number;
  /** Packages already at a later revision. Cleared by any write that cannot confirm it. */
  package_revisions?: PackageRevisions;
  /**
   * The service was deleted; nothing is written any more. `hidden`: not purged yet; `purged`: only the id is
   * left; `with-project`: deleted with its project, whose document has the state.
   */
  deletion_state?: 'hidden' | 'purged' | 'with-project';
  /** Vulnerabilities by status and severity. Absent: none yet, or deleted. */
  counts?: StatusCounts;
  /**
   * `findingsHashOf` the findings of the newest SBOM: another one changes only vulnerabilities of packages with other
   * findings (R16), as long as the epoch of the acceptances is `epoch`. Valid only if `version` is the version of this
   * document.
   */
  last_findings?: { hash: string; epoch: number; version: number };
  /**
   * Trace context (W3C) of the work that last changed vulnerabilities, for notifications. Absent if it was
   * not traced.
   */
  traceparent?: string;
  /**
   * A change too large for one transaction is in progress, or its process ended: some vulnerabilities are
   * outdated. Every other change first recomputes them from the SBOM versions without those to be removed.
   */
  pending_updates?: PendingUpdates;
}

/** `at`: time of the last part that was written. */
export interface PendingUpdates {
  /** The version of the service at which the change began: each change has another one. Absent: of an earlier release. */
  began?: number;
  removing: string[];
  at: Date;
}

/** An SBOM version of a service. `removed` is a tombstone: a late scan must not restore the version. */
export type SbomVersionDocument =
  | (Omit<SbomVersion, 'sbom_id'> & { _id: string; service_id: string; project_id: string })
  | { _id: string; service_id: string; project_id: string; removed: true };

/**
 * A tracked vulnerability as stored. What belongs to the vulnerability in its package, whatever the service,
 * is in its details (`DetailsDocument`), which thousands of services share. Absent fields are null.
 */
export interface TrackedVulnerabilityDocument {
  _id: string;
  service_id: string;
  project_id: string;
  package_key: string;
  origin: string;
  identity: string[];
  /** The ids of `identity` that the details do not name; indexed. Absent: none. */
  former_ids?: string[];
  presence: StoredInterval[];
  /** That of the last presence interval, for filters and lists. Absent: unknown. */
  detected_at?: Date;
  first_seen_at: Date | null;
  last_seen?: { sbom_id: string; at: Date };
  status: TrackedVulnerability['status'];
  /** The decision that determines the status; absent: none. */
  decided?: Decided;
  merged_into?: string;
  /** Id of the details. Absent, like `severity` and `found`: no SBOM contains it. */
  details_id?: string;
  /** That of the details: for counts, and for lists in the order of `first_seen_at`. */
  severity?: Severity;
  /** What depends on the version of the package. */
  found?: FoundPackage;
  /** See `TrackedVulnerability`. */
  alert_periods?: Partial<Record<keyof AlertPeriods, Date>>;
}

/** A presence interval; `detected_at` of all but the last one, which is a field of the vulnerability. */
export interface StoredInterval {
  from: number;
  to: number | null;
  detected_at?: Date;
}

/** The affected versions of a package in the last SBOM that contains a vulnerability. */
export interface FoundPackage {
  package_version: string;
  /** Absent: `package_version` alone. */
  package_versions?: string[];
  purl: string;
  fixed_versions: string[];
  is_direct: boolean;
  is_root?: true;
}

/** The fields that lists read. */
export const listedFields = [
  ...(['service_id', 'project_id', 'first_seen_at', 'detected_at', 'last_seen'] as const),
  ...(['status', 'decided', 'details_id', 'found'] as const),
] as const satisfies readonly (keyof TrackedVulnerabilityDocument)[];
export type VulnerabilityListItem = Pick<
  TrackedVulnerabilityDocument,
  '_id' | (typeof listedFields)[number]
>;

/** The `project_id` of decisions for all projects. */
export const allProjects = '*';

/** A decision about an alias group. What it says is as in its view. */
export interface AcceptanceDocument
  extends
    StoredContent,
    Pick<AcceptanceView, 'source' | 'source_document' | 'created_by' | 'updated_by'> {
  _id: string;
  /** `allProjects`: it applies in every one. */
  project_id: string;
  /** Null: not limited to services. */
  services: string[] | null;
  /** Absent: whatever package. */
  packages?: DecidedPackage[];
  /** The vulnerability by which the alias group was named. */
  vulnerability_id: string;
  /** The alias group that was decided, upper case. */
  identity: string[];
  /**
   * Of a person's decision: its alias ids by service, which no other one in the project may have before it has
   * lapsed (RA2). Absent: others may have the same scope.
   */
  slots?: string[];
  /** Of source `vex`: the record of its document. */
  vex_id?: string;
  /** Of source `rule`: a standing rule; `identity` is empty then. */
  rule?: { name: string; filter: RuleFilter };
  /** Of a rule by owner or label (DC9): `services` follows the catalog. */
  owned?: true;
  /** The services that such a rule has left and whose vulnerabilities it may still decide. */
  left?: string[];
  /** The call that decided about many vulnerabilities, of which this is one. */
  bulk_id?: string;
  created_at: Date;
  updated_at: Date;
  /** When it was made, or its kind changed last. */
  decided_at: Date;
  /** The kinds that it had before, oldest first, each until it changed. */
  former: FormerKind[];
  /** Its expiry was recorded: inactive, whatever any clock shows. */
  lapsed: boolean;
  /** Not yet reflected in the vulnerabilities; a sweep finishes it. */
  pending: 'apply' | 'revert' | null;
}

/** What a decision says. */
export type StoredContent = Pick<
  AcceptanceView,
  'decision' | 'reason' | 'justification' | 'detail' | 'ticket_url' | 'assignee'
> & { expires_at: Date | null };

export interface FormerKind {
  decision: AcceptanceView['decision'];
  until: Date;
}

/**
 * Details of an alias group in a package. The id is a hash of the content (`detailsIdOf`), so the content of
 * an id never changes; the risk values and what the sweeps write are not part of it.
 */
export interface DetailsDocument extends VulnerabilityDetails, SortValues, RatedValues, Markable {
  _id: string;
  package_name: string;
  ecosystem: string;
  /** A version with a fix is known for the versions found. */
  has_fix: boolean;
  /** Absent once a sweep confirmed the risk values of new details. */
  risk_pending?: true;
  /**
   * `aliases` and `upstream` in upper case, for EPSS, KEV, VEX statements (VX13) and the filter by id; decisions of people
   * go by `aliases`.
   */
  alias_keys: string[];
  /**
   * False: no open vulnerability refers to it, so the active list skips it. Set back by every write that may
   * add one, and by the sweep only after a grace period (ADR 0018).
   */
  has_open: boolean;
}

/** What lists sort by; null if missing, which sorts last in both orders. */
export interface SortValues {
  /** The score, or the lower bound of the severity band; null for unknown. */
  score_sort: number | null;
  /** 5 critical … 1 none; null for unknown. */
  severity_rank: number | null;
  cve_id: string;
  /** Lower case. */
  package_sort: string;
  published_sort: Date | null;
  /** Changes every day, and with it no tracked vulnerability. */
  epss_score: number | null;
  /** When it was added to KEV (`YYYY-MM-DD`). */
  kev_sort: string | null;
  /** See `RiskValues`. */
  risk: number | null;
  /** Which of them are missing: for indexes in ascending order. */
  missing: Record<MissingValue, boolean>;
}

/** The sort values that may be missing. */
export type MissingValue =
  | 'score_sort'
  | 'severity_rank'
  | 'published_sort'
  | 'epss_score'
  | 'kev_sort'
  | 'risk';
