import type { Severity } from '@bomtrail/messages';

/** An open vulnerability in a package, whatever the service. */
export interface OpenVulnerability {
  cve_id: string;
  /** All ids of the alias group, in upper case. */
  aliases: readonly string[];
  severity: Severity;
  kev: boolean;
  epss_score: number | null;
  risk: number | null;
}

/** An advisory with its alias group. */
export interface NamedAdvisory {
  id: string;
  group: string;
}

/** What the loaded advisories say about a version. */
export interface Verdict {
  affected: readonly NamedAdvisory[];
  undecided: readonly NamedAdvisory[];
}

/** A judged version that may replace the one in use. */
export interface JudgedCandidate {
  version: string;
  verdict: Verdict;
}

/** An affected component, as it is in one or more documents. */
export interface ComponentInUse {
  purl: string;
  /** As in the document. */
  package_version: string;
  is_direct: boolean;
  /** The registry, or the release of a distribution. */
  release: string | null;
  /** The source package by which advisories know it, if it has another name or version. */
  source_package: string | null;
  /** The version that is compared: that of the source package, if there is one. */
  version: string;
  /** Null if its versions could not be judged. */
  judged: { current: Verdict; candidates: readonly JudgedCandidate[] } | null;
  /** Fixed versions that are not offered, lowest first. */
  prereleases: readonly string[];
}

/** A service that uses a package. */
export interface PackageUse {
  service_id: string;
  project_id: string;
  sbom_id: string;
  /** Positions of the affected components. */
  components: readonly number[];
  /** Positions of the open vulnerabilities. */
  vulnerabilities: readonly number[];
}

/** A package with its open vulnerabilities, everywhere in the scope of a plan. */
export interface PackageInUse {
  package_name: string;
  ecosystem: string;
  vulnerabilities: readonly OpenVulnerability[];
  components: readonly ComponentInUse[];
  uses: readonly PackageUse[];
}
