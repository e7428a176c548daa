import type { AcceptanceView, Severity, VulnerabilityDetails } from '@bomtrail/messages';
import type { Markable } from '@bomtrail/service-kit';
import type { PackageRevisions } from '../domain/package-revisions';
import type { AlertPeriods, SbomVersion, TrackedVulnerability, Snapshot } from '../domain/types';

/**
 * A project, as far as this service must know of it: whatever adds to a project (the first rows of a
 * line, an acceptance) or takes a service out of it moves this document in the same transaction, so
 * that nothing is added beside a delete. It stays when the project is deleted.
 */
export interface KnownProjectDocument {
  _id: string;
  changes: number;
  /** The project was deleted. `hidden`: rows of it may still be stored, no list shows them. */
  deletion_state?: 'hidden' | 'purged';
}

/** One document a version line: whoever writes the rows of a line does it on condition of its version. */
export interface ServiceStateDocument {
  /** The line's id. */
  _id: string;
  project_id: string;
  /** Grows with every write to the line's rows; 0: nothing was written yet. */
  version: number;
  /** The newest scanned SBOM: `sbom_id` and `last_seen_at` of every row that is present. */
  head: SbomVersion | null;
  /** The advisory revision that all rows stand on at least: an older change is in them already. */
  revision: number;
  /**
   * The latest advisory revision that any row stands on: nothing older is brought in any more. Absent:
   * not known, as of an earlier release.
   */
  max_revision?: number;
  /** What is known beyond `revision`; a write that does not know that it still holds takes it away. */
  package_revisions?: PackageRevisions;
  /**
   * The line was deleted, nothing is written any more. `hidden`: its service was, rows of it may
   * still be stored, no list shows them; `purged`: they are gone, the id stays; `with-project`:
   * the project was, so that its document says the rest.
   */
  deletion_state?: 'hidden' | 'purged' | 'with-project';
  /** Its listed rows by severity, moved with them by the difference. Absent: not counted yet, or deleted. */
  open_counts?: Partial<Record<Severity, number>>;
  /**
   * A hash of the findings with which one more SBOM changes no row, as long as the acceptances are those
   * of `epoch`. Right at `version` only: a release that does not know of it leaves it behind.
   */
  last_findings?: { hash: string; epoch: number; version: number };
  /**
   * Place in its trace of the work that changed rows last (W3C Trace Context), so that what is told of them
   * belongs to it. Absent unless traces were on then.
   */
  traceparent?: string;
  /** The version at which `open_counts` is right: a release that does not count leaves it behind. */
  open_version?: number;
  /**
   * A change of more rows than one transaction holds is under way, or its process has ended: some rows are
   * as they were before. They are right once they are recomputed from the log without the SBOMs that leave
   * it, which every other change does first.
   */
  pending_updates?: PendingUpdates;
}

/** `at`: when the last part of the change was written. */
export interface PendingUpdates {
  removing: string[];
  at: Date;
}

/** An SBOM of a line's log; `removed` stays as a sign that a late scan must not bring it back. */
export type SbomVersionDocument =
  | (Omit<SbomVersion, 'sbom_id'> & { _id: string; service_id: string; project_id: string })
  | { _id: string; service_id: string; project_id: string; removed: true };

/** A row as stored: what the rules need, and beside it what lists filter and sort by. */
export interface TrackedVulnerabilityDocument {
  _id: string;
  service_id: string;
  project_id: string;
  package_key: string;
  origin: string;
  identity: string[];
  presence: TrackedVulnerability['presence'];
  first_seen_at: Date | null;
  last_seen: { sbom_id: string; at: Date } | null;
  snapshot: Snapshot | null;
  status: TrackedVulnerability['status'];
  merged_into: string | null;
  /** Open and not accepted: what the active list shows. */
  open: boolean;
  /** Current aliases in upper case, for the filter by id. */
  alias_keys: string[];
  severity: Severity | null;
  /** 5 critical … 1 none; null for unknown, which comes last. */
  severity_rank: number | null;
  /** The score, or the lower bound of the band; null for unknown. */
  score_sort: number | null;
  cve_id: string | null;
  /** Lower case. */
  package_sort: string | null;
  published_at: Date | null;
  /** See `TrackedVulnerability`; absent in rows of release 1.0.1. */
  alert_periods?: Partial<Record<keyof AlertPeriods, Date>>;
}

/** What lists show of a row. */
export const snapshotFields = [
  ...(['service_id', 'project_id', 'first_seen_at', 'last_seen', 'snapshot', 'status'] as const),
] as const satisfies readonly (keyof TrackedVulnerabilityDocument)[];
export type VulnerabilityListItem = Pick<
  TrackedVulnerabilityDocument,
  '_id' | (typeof snapshotFields)[number]
>;

export interface AcceptanceDocument {
  _id: string;
  project_id: string;
  service_id: string | null;
  vulnerability_id: string;
  /** The alias group it was given for, upper case; unique within a scope among those that have not lapsed. */
  identity: string[];
  reason: string;
  /** The API key that it was given with; absent in those of release 1.0.1. */
  created_by?: AcceptanceView['created_by'];
  expires_at: Date | null;
  created_at: Date;
  updated_at: Date;
  /** Its time has passed and that was noticed: out of force, whatever any clock says. */
  lapsed: boolean;
  /** What the rows do not show yet: the sweep finishes it. */
  pending: 'apply' | 'revert' | null;
}

/** What people read about an alias group in a package, kept by the hash of its content. */
export type DetailsDocument = VulnerabilityDetails & Markable;
