import { z } from 'zod';
import { rpc } from '../define';
import { digest, id, page, projectScope, type Severity } from './fields';
import { maxFilteredServices } from './list-filters';

/** A package as matching knows it, within its ecosystem and without a version. */
const matchedName = z.object({
  name: z.string(),
  /** Registry or release of a distribution; null: the default one, or unknown. */
  suffix: z.string().nullable(),
});
export type MatchedName = z.infer<typeof matchedName>;

/** A version of a package as matching knows it. */
export interface MatchedVersion extends MatchedName {
  /** OSV's name without suffix, such as `npm` or `Debian`. */
  ecosystem: string;
  version: string;
}

/** A component that advisories match, as in its document. */
export interface AffectedComponent {
  /** `Finding.package_key`. */
  package_key: string;
  purl: string;
  package_name: string;
  package_version: string;
  is_direct: boolean;
  /** Positions in `AffectedComponents.versions`: its package versions, for example of its source. */
  versions: number[];
}

/** Attachment of `list-affected-components`: JSON as `packJson` packs it. Shared parts stand once. */
export interface AffectedComponents {
  versions: MatchedVersion[];
  components: AffectedComponent[];
  /** Positions in `components`; null: the set has too many. Sets that are not evaluated are left out. */
  sets: { digest: string; components: number[] | null }[];
}

/** Maximum component sets per request for their affected components. */
export const maxAffectedSets = 100;
/** Affected components of one set, above which they are not listed. */
export const maxAffectedOfSet = 50_000;

/**
 * The components of component sets that advisories match. `answered`: number of sets, from the first
 * on, that the response covers; request the others again.
 */
export const listAffectedComponents = rpc<{ answered: number }>()({
  service: 'scanner',
  callers: ['reconciler'],
  name: 'list-affected-components.v1',
  request: z.object({ digests: z.array(digest).min(1).max(maxAffectedSets) }),
  timeoutMs: 60_000,
});

/** Maximum packages per request to judge versions, and maximum versions of each. */
export const maxJudgedPackages = 200;
export const maxJudgedVersions = 32;
/** Maximum names of one package: a Go package may belong to several modules. */
export const maxJudgedNames = 8;

/** What the loaded advisories say about one version: positions in `JudgedVersions.advisories`. */
export interface VersionVerdict {
  affected: number[];
  /** Advisories that cannot be decided for the version. */
  undecided: number[];
}

/** Attachment of `judge-package-versions`: JSON as `packJson` packs it. */
export interface JudgedVersions {
  /** Ids, each with its alias group. */
  advisories: { id: string; group: string }[];
  /** By package, then by version, in the order of the request. */
  packages: VersionVerdict[][];
}

/**
 * Judges versions of packages, whether anything uses them or not, by the rules that scans follow.
 * Nothing is stored. A package with several names (a binary package and its source) is affected
 * under any of them. `answered`: number of packages, from the first on, that the response covers.
 */
export const judgePackageVersions = rpc<{ revision: number; answered: number }>()({
  service: 'scanner',
  callers: ['reconciler'],
  name: 'judge-package-versions.v1',
  request: z.object({
    packages: z
      .array(
        z.object({
          ecosystem: z.string(),
          names: z.array(matchedName).min(1).max(maxJudgedNames),
          versions: z.array(z.string()).min(1).max(maxJudgedVersions),
        }),
      )
      .min(1)
      .max(maxJudgedPackages),
  }),
  timeoutMs: 60_000,
});

/** Some open vulnerabilities, summed up. */
export interface VulnerabilitySum {
  /** Tracked vulnerabilities: each service counts. */
  total: number;
  counts: Record<Severity, number>;
  /** Those that are known to be exploited. */
  kev: number;
  max_epss: number | null;
  /** Sum of `risk`; unknown risk counts as 0. */
  risk: number;
  /** Distinct `cve_id`s, highest risk first, at most `maxNamedVulnerabilities`. */
  ids: string[];
}

/** Bounds of one remediation. */
export const maxNamedVulnerabilities = 500;
export const maxNamedServices = 50;
export const maxNamedPurls = 50;
export const maxRefusedVersions = 5;

/** Why no upgrade is proposed (docs/rules.md RM6). */
export const noUpgradeReasons = [
  'no_fixed_version',
  'malicious',
  'prerelease_only',
  'opens_vulnerabilities',
  'undetermined',
  'not_judged',
] as const;
export type NoUpgradeReason = (typeof noUpgradeReasons)[number];

/** From versions in use to one version. */
export interface PackageUpgrade {
  /** Registry or release of a distribution; null: the default one. */
  release: string | null;
  /** The source package that `to` is a version of, if it is not the package itself. */
  source_package: string | null;
  /** As in the documents, ascending. */
  from: string[];
  /** Null: none, see `reason`. */
  to: string | null;
  is_major: boolean;
  reason: NoUpgradeReason | null;
  /** Fixed versions that are not proposed, lowest first, at most `maxRefusedVersions`. */
  refused: {
    version: string;
    reason: 'prerelease' | 'opens_vulnerabilities' | 'undetermined';
    /** Advisories that it would open or leave undecided. */
    advisory_ids: string[];
  }[];
}

/** What to do about a package (docs/rules.md RM1 to RM7). */
export interface RemediationView {
  package_name: string;
  ecosystem: string;
  /** The affected components without version and qualifiers, at most `maxNamedPurls`. */
  purls: string[];
  is_direct: boolean;
  upgrades: PackageUpgrade[];
  /** What all `upgrades` together close, and what stays open after them. */
  closes: VulnerabilitySum;
  remains: VulnerabilitySum;
  /** A further step that closes more; null: none is known. `closes`: what it adds. */
  major_step: {
    upgrades: (Pick<PackageUpgrade, 'release' | 'source_package' | 'from'> & { to: string })[];
    closes: VulnerabilitySum;
  } | null;
  /** Most risk first, at most `maxNamedServices` of `service_count`. */
  services: {
    service_id: string;
    project_id: string;
    /** The newest scanned SBOM. */
    sbom_id: string;
    /** Affected versions, ascending. */
    versions: string[];
    /** An affected component, as in the document. */
    purl: string;
    is_direct: boolean;
    closes: number;
    remains: number;
  }[];
  service_count: number;
}

/**
 * The plan for the open vulnerabilities of a project, some services, or all. Attachment of the response:
 * JSON array of `RemediationView`, one page, as `packJson` packs it. `complete`: false if vulnerabilities
 * or components beyond the bounds were left out.
 */
export const planRemediations = rpc<{
  total: number;
  complete: boolean;
  closes: VulnerabilitySum;
  remains: VulnerabilitySum;
}>()({
  service: 'reconciler',
  callers: ['gateway'],
  name: 'plan-remediations.v1',
  request: page.extend({
    project_id: projectScope.optional(),
    service_ids: z.array(id).min(1).max(maxFilteredServices).optional(),
  }),
  timeoutMs: 120_000,
});
