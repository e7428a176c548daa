import { z } from 'zod';
import { rpc } from '../define';
import type { RiskFeedView } from './risk';
import type { VexSourceView } from './vex';
import { digest, page, type AdvisoryData, type Severity } from './fields';
import { packageQuery, type ContainedPackage } from './search';

/** An alias group that affects one package version of a component set. */
export interface Finding {
  /** The component, as in the document. */
  purl: string;
  package_name: string;
  package_version: string;
  ecosystem: string;
  is_direct: boolean;
  /** The component is the root of the document; absent for all others. */
  is_root?: true;
  /** `<ecosystem>|<normalised name>`: the package of any version. */
  package_key: string;
  /** Fixed versions above this version, ascending. */
  fixed_versions: string[];
  /** Key into `vulnerabilities` of the same response: hex digest of the details. */
  details: string;
}

/** Details of one alias group in one package (docs/rules.md VU5, VU6). */
export interface VulnerabilityDetails {
  cve_id: string;
  /** All ids of the alias group, including the matching advisories. */
  aliases: string[];
  /** The advisories that match the package version. */
  advisory_ids: string[];
  /** Other CVEs that these advisories name as upstream; absent: none. */
  upstream?: string[];
  severity: Severity;
  cvss_score: number | null;
  cvss_vector: string | null;
  /** Id of the advisory that the severity is from, or `CVE record`; null if unknown. */
  severity_source?: string | null;
  title: string;
  description: string;
  published_at: string | null;
  modified_at: string | null;
  references: { type: string; url: string }[];
}

/** How much of a component set could be evaluated. `undetermined`: count by reason. */
export interface Coverage {
  components: number;
  evaluated: number;
  undetermined: Record<string, number>;
  /** Number of root components, and of those evaluated; absent for none. */
  roots?: number;
  evaluated_roots?: number;
  /** Advisories that could not be decided for at least one component; absent for none. */
  undecided_advisories?: number;
}

/**
 * Attachment of a response, JSON, gzip'd if large: findings of a component set at one advisory
 * revision.
 */
export interface FindingsReport {
  findings: Finding[];
  vulnerabilities: Record<string, VulnerabilityDetails>;
}

/** Maximum component sets per request for findings. */
export const maxSetsRead = 500;

/**
 * Findings of several component sets, each at its own revision: the attachment of the response,
 * JSON as `packJson` packs it. Shared findings are included once.
 */
export interface SetsFindings extends FindingsReport {
  /** The evaluated sets, each with the indexes of its findings in the list. */
  sets: { digest: string; revision: number; findings: number[] }[];
}

/**
 * Findings of many component sets, all or only of some packages (`Finding.package_key`).
 * `answered`: number of sets, from the first on, that the response covers; request the others
 * again. A covered set that the attachment omits was not evaluated yet. 0: the first set alone
 * exceeds one response, see `readFindingsPage`.
 */
export const readFindingsOfSets = rpc<{ answered: number }>()({
  service: 'scanner',
  callers: ['reconciler'],
  name: 'read-findings-of-sets.v1',
  request: z.object({
    digests: z.array(digest).min(1).max(maxSetsRead),
    packages: z.array(z.string()).nullable(),
  }),
  timeoutMs: 60_000,
});

/** Maximum packages per request for a page of findings, and maximum characters of their keys. */
export const maxPackagesRead = 500;
export const maxPackageCharactersRead = 128 * 1024;

/**
 * Findings of some packages of a component set, in pages of some megabytes to bound memory.
 * `after`: `next` of the previous page, null for the first one. `next`: null after the last page.
 * `restart`: the findings changed since the first page, discard all pages. Fails with
 * `sbom_not_found` if the set was never evaluated. Attachment: `FindingsReport`.
 */
export const readFindingsPage = rpc<{ revision: number; next: string | null; restart: boolean }>()({
  service: 'scanner',
  callers: ['reconciler'],
  name: 'read-findings-page.v1',
  request: z.object({
    digest,
    packages: z.array(z.string()).min(1).max(maxPackagesRead),
    after: z.string().max(200).nullable(),
  }),
  timeoutMs: 60_000,
});

/**
 * Packages with findings in component sets. Attachment: JSON, `FindingPackages`. Fails with
 * `sbom_not_found` if one of the sets was never evaluated.
 */
export const listFindingPackages = rpc<{ revision: number }>()({
  service: 'scanner',
  callers: ['reconciler'],
  name: 'list-finding-packages.v1',
  request: z.object({ digests: z.array(digest).min(1).max(maxSetsRead) }),
  timeoutMs: 60_000,
});

/** Approximate number of findings per package (`Finding.package_key`) over all sets. */
export type FindingPackages = Record<string, number>;

/**
 * Coverage of a component set; null if it was not evaluated yet. `revision`: advisory revision of
 * the data status; the findings may be based on an earlier one.
 */
export const readCoverage = rpc<{
  coverage: Coverage | null;
  advisory_data: AdvisoryData;
  revision: number;
}>()({
  service: 'scanner',
  callers: ['gateway'],
  name: 'read-coverage.v1',
  request: z.object({ digest: digest.nullable() }),
});

/** Coverage by component set; sets that were not evaluated yet are missing. */
export const readCoverages = rpc<{ coverages: Record<string, Coverage> }>()({
  service: 'scanner',
  callers: ['gateway', 'reconciler'],
  name: 'read-coverages.v1',
  request: z.object({ digests: z.array(digest).min(1).max(maxSetsRead) }),
});

/** A component that could not be evaluated, as in the document. */
export interface UndeterminedComponent {
  name: string;
  /** Empty if the document has none. */
  version: string;
  purl: string | null;
  /** A key of `Coverage.undetermined`. */
  reason: string;
  /** Undecided advisories, sorted. */
  advisory_ids?: string[];
}

/**
 * Components of a set that `Coverage.undetermined` counts, in the order of the set. Attachment of
 * the response: JSON array of `UndeterminedComponent`. `coverage` is null and the list empty if the
 * set was not evaluated yet. The timeout allows for large sets, which are processed one at a time.
 */
export const listUndetermined = rpc<{
  total: number;
  coverage: Coverage | null;
  advisory_data: AdvisoryData;
}>()({
  service: 'scanner',
  callers: ['gateway'],
  name: 'list-undetermined.v1',
  request: page.extend({ digest, reason: z.string().optional() }),
  timeoutMs: 60_000,
});

/** Advisory data used for an ecosystem; `feed_stale`: not updated for too long. */
export type FeedDataStatus = 'feed' | 'feed_stale' | 'starter_data' | 'feed_not_loaded';

/** The advisories of one ecosystem. Ages in seconds; null if none yet. */
export interface FeedView {
  ecosystem: string;
  data_status: FeedDataStatus;
  /** Source of the data, without credentials. */
  source: string | null;
  last_success_at: string | null;
  /** Time to which the data are current. */
  as_of: string | null;
  age_seconds: number | null;
  records: number;
  /** Records that could not be read. */
  rejected: number;
  /** Revision of the last change of its records. */
  revision: number | null;
  last_error: { message: string; at: string | null } | null;
}

/** All supported ecosystems, by name. `applied`: all results are based on the current revision. */
export const readFeeds = rpc<{
  advisory_data: AdvisoryData;
  revision: number;
  applied: boolean;
  feeds: FeedView[];
  risk_feeds: RiskFeedView[];
  vex_sources: VexSourceView[];
}>()({
  service: 'scanner',
  callers: ['gateway', 'notifier'],
  name: 'read-feeds.v1',
  request: z.object({}),
});

/**
 * State of the current revision. `applied`: all results are based on it; `rescans_requested`: the
 * catalog has stored the re-scans of every set with changed findings.
 */
export const readDataStatus = rpc<{
  revision: number;
  applied: boolean;
  rescans_requested: boolean;
}>()({
  service: 'scanner',
  callers: ['reconciler'],
  name: 'read-data-status.v1',
  request: z.object({}),
});

/**
 * Component sets that contain a package. Attachment of the response: JSON, `PackageSets`.
 * `complete`: false while sets of an earlier release exist that do not list all components.
 */
export const findPackageSets = rpc<{ sets: number; complete: boolean }>()({
  service: 'scanner',
  callers: ['catalog'],
  name: 'find-package-sets.v1',
  request: packageQuery,
  timeoutMs: 30_000,
});

/** Indexes into `packages` of the packages that a set contains, by its digest. */
export interface PackageSets {
  packages: ContainedPackage[];
  sets: Record<string, number[]>;
}

/**
 * Looks up an id in the loaded advisories (case-insensitive, aliases count). `ids`: all ids of its
 * alias group, empty if unknown.
 */
export const findAdvisory = rpc<{
  known: boolean;
  ids: string[];
  /** All advisories of the group were withdrawn. */
  withdrawn: boolean;
  advisory_data: AdvisoryData;
}>()({
  service: 'scanner',
  callers: ['gateway'],
  name: 'find-advisory.v1',
  request: z.object({ id: z.string().max(200) }),
});

/**
 * Ingest is about to delete these component sets: after a grace period the scanner checks whether
 * they are still used, and deletes its results for those that are not. Idempotent.
 */
export const releaseSets = rpc<{ noted: number }>()({
  service: 'scanner',
  callers: ['ingest'],
  name: 'release-sets.v1',
  request: z.object({ digests: z.array(digest).max(1_000) }),
});
