import { z } from 'zod';
import { rpc } from '../define';
import { digest, page, type AdvisoryData, type Severity } from './fields';
import { packageQuery, type ContainedPackage } from './search';

/** One alias group that affects one package version of a component set. */
export interface Finding {
  /** The component as the document names it. */
  purl: string;
  package_name: string;
  package_version: string;
  ecosystem: string;
  is_direct: boolean;
  /** The component is what the document is about; absent for every other one. */
  is_root?: true;
  /** `<ecosystem>|<normalised name>`: the package whatever its version. */
  package_key: string;
  /** Fixed versions above the version at hand, ascending. */
  fixed_versions: string[];
  /** Key into `vulnerabilities` of the same answer: hex digest over the details. */
  details: string;
}

/** What people read about one alias group in one package (docs/rules.md VU5, VU6). */
export interface VulnerabilityDetails {
  cve_id: string;
  /** Every id of the alias group, the matching advisories included. */
  aliases: string[];
  /** The advisories that match the package version. */
  advisory_ids: string[];
  severity: Severity;
  cvss_score: number | null;
  cvss_vector: string | null;
  title: string;
  description: string;
  published_at: string | null;
  modified_at: string | null;
  references: { type: string; url: string }[];
}

/** How much of a component set could be judged. `undetermined`: count by reason. */
export interface Coverage {
  components: number;
  evaluated: number;
  undetermined: Record<string, number>;
  /** How many of the components are what the document is about, and of these were evaluated; absent for none. */
  roots?: number;
  evaluated_roots?: number;
  /** Advisories that could not be decided for a component or more; absent for none. */
  undecided_advisories?: number;
}

/** The answer's attachment, as JSON that is gzip'd when it is large: findings of a component set at one advisory revision. */
export interface FindingsReport {
  findings: Finding[];
  vulnerabilities: Record<string, VulnerabilityDetails>;
}

/** Fails with `sbom_not_found` when the set was never evaluated. Attachment of the answer: `FindingsReport`. */
export const readFindings = rpc<{
  revision: number;
  coverage: Coverage;
  advisory_data: AdvisoryData;
}>()({
  service: 'scanner',
  name: 'read-findings.v1',
  request: z.object({ digest }),
  timeoutMs: 60_000,
});

/** Component sets that one question for their findings may name. */
export const maxSetsRead = 500;

/**
 * What is found in several component sets, each at the revision for which it is right: the attachment of
 * the answer, JSON as `packJson` packs it. What the sets share stands there once.
 */
export interface SetsFindings extends FindingsReport {
  /** Those that are evaluated, each with the places of its findings in the list. */
  sets: { digest: string; revision: number; findings: number[] }[];
}

/**
 * The findings of many component sets, all or those of some packages (`Finding.package_key`).
 * `answered`: of how many of the sets, from the first on, this is the answer; the others are to be asked
 * for again. One of these that the attachment does not name was not evaluated yet. 0: the first one alone
 * has more findings than an answer holds, see `readFindingsPage`.
 */
export const readFindingsOfSets = rpc<{ answered: number }>()({
  service: 'scanner',
  name: 'read-findings-of-sets.v1',
  request: z.object({
    digests: z.array(digest).min(1).max(maxSetsRead),
    packages: z.array(z.string()).nullable(),
  }),
  timeoutMs: 60_000,
});

/** Packages that one question for a page of findings may name, and the characters of their keys. */
export const maxPackagesRead = 500;
export const maxPackageCharactersRead = 128 * 1024;

/**
 * Findings of some packages of a component set, in pages of some megabytes: whatever their number, no
 * process holds all of them. `after`: `next` of the page before, null for the first one. `next` is null
 * behind the last page; `restart`: the findings have changed since the first page, so that none of the
 * pages counts. Fails with `sbom_not_found` when the set was never evaluated. Attachment: `FindingsReport`.
 */
export const readFindingsPage = rpc<{ revision: number; next: string | null; restart: boolean }>()({
  service: 'scanner',
  name: 'read-findings-page.v1',
  request: z.object({
    digest,
    packages: z.array(z.string()).min(1).max(maxPackagesRead),
    after: z.string().max(200).nullable(),
  }),
  timeoutMs: 60_000,
});

/**
 * The packages of the findings of component sets. Attachment: JSON, `FindingPackages`. Fails with
 * `sbom_not_found` when one of the sets was never evaluated.
 */
export const listFindingPackages = rpc<{ revision: number }>()({
  service: 'scanner',
  name: 'list-finding-packages.v1',
  request: z.object({ digests: z.array(digest).min(1).max(maxSetsRead) }),
  timeoutMs: 60_000,
});

/** About how many findings each package has in all of the sets together, by `Finding.package_key`. */
export type FindingPackages = Record<string, number>;

/**
 * Counts of a component set without its findings; null when it was not evaluated yet. `revision`: of the
 * advisories by which it is judged whether they are loaded and current; the findings may not stand on it
 * yet. Absent in answers of earlier releases.
 */
export const readCoverage = rpc<{
  coverage: Coverage | null;
  advisory_data: AdvisoryData;
  revision?: number;
}>()({
  service: 'scanner',
  name: 'read-coverage.v1',
  request: z.object({ digest: digest.nullable() }),
});

/** One component that could not be judged, as the document names it. */
export interface UndeterminedComponent {
  name: string;
  /** Empty when the document names none. */
  version: string;
  purl: string | null;
  /** A key of `Coverage.undetermined`. */
  reason: string;
  /** The advisories that could not be decided, sorted; some of release 1.0.1 do not say it. */
  advisory_ids?: string[];
}

/**
 * The components of a set that `Coverage.undetermined` counts, in the order of the set; the items
 * stand in the attachment of the answer, a JSON array of `UndeterminedComponent`. `coverage` is null
 * and the list empty when the set was not evaluated yet. Large sets wait for each other, hence the time.
 */
export const listUndetermined = rpc<{
  total: number;
  coverage: Coverage | null;
  advisory_data: AdvisoryData;
}>()({
  service: 'scanner',
  name: 'list-undetermined.v1',
  request: page.extend({ digest, reason: z.string().optional() }),
  timeoutMs: 60_000,
});

/** On what the answers about an ecosystem stand: `feed_stale` = nobody confirmed the data for too long. */
export type FeedDataStatus = 'feed' | 'feed_stale' | 'starter_data' | 'feed_not_loaded';

/** The advisories of one ecosystem. Times are instants, ages seconds; null where there is none yet. */
export interface FeedView {
  ecosystem: string;
  data_status: FeedDataStatus;
  /** Where the data come from, without credentials. */
  source: string | null;
  last_success_at: string | null;
  /** The data are as current as this. */
  as_of: string | null;
  age_seconds: number | null;
  records: number;
  /** Records of the loaded edition that could not be read. */
  rejected: number;
  /** With which its records changed last. */
  revision: number | null;
  last_error: { message: string; at: string | null } | null;
}

/** Every ecosystem that can be matched, by name, and whether every result stands on the revision in force. */
export const readFeeds = rpc<{
  advisory_data: AdvisoryData;
  revision: number;
  applied: boolean;
  feeds: FeedView[];
}>()({ service: 'scanner', name: 'read-feeds.v1', request: z.object({}) });

/**
 * Whether what `read-findings` answers is what everybody was told of. `applied`: every result stands on
 * the revision in force; `announced`: the catalog owes, or has had, the re-scans of every set whose
 * findings changed.
 */
export const readDataStatus = rpc<{ revision: number; applied: boolean; announced: boolean }>()({
  service: 'scanner',
  name: 'read-data-status.v1',
  request: z.object({}),
});

/**
 * The component sets that hold a package. Attachment of the answer: JSON, `PackageSets`. `complete`:
 * false while sets of an earlier release are there that name not all of their components.
 */
export const findPackageSets = rpc<{ sets: number; complete: boolean }>()({
  service: 'scanner',
  name: 'find-package-sets.v1',
  request: packageQuery,
  timeoutMs: 30_000,
});

/** Which of `packages` (by index) a set holds, by its digest. */
export interface PackageSets {
  packages: ContainedPackage[];
  sets: Record<string, number[]>;
}

/**
 * What the advisories that are held know of an id (any case, an alias counts). `ids`: every id of its
 * alias group. Not known: `ids` is empty.
 */
export const findAdvisory = rpc<{
  known: boolean;
  ids: string[];
  /** Every advisory of the group was withdrawn. */
  withdrawn: boolean;
  advisory_data: AdvisoryData;
}>()({
  service: 'scanner',
  name: 'find-advisory.v1',
  request: z.object({ id: z.string().max(200) }),
});

/**
 * Component sets that ingest is about to drop: after a while the scanner asks whether they are kept
 * all the same, and forgets what it found in those that are not. Repeating it is harmless.
 */
export const releaseSets = rpc<{ noted: number }>()({
  service: 'scanner',
  name: 'release-sets.v1',
  request: z.object({ digests: z.array(digest).max(1_000) }),
});
