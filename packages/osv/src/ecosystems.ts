import { normalisePypiName } from '@bomtrail/purl';
import { withoutSlashesAtEnd } from './registry';

/** Ecosystems whose suffix is a release; the suffix of all others is a registry. */
const DISTRIBUTIONS = [
  'Debian',
  'Ubuntu',
  'Echo',
  'Alpine',
  'Wolfi',
  'Chainguard',
  'MinimOS',
  'CleanStart',
  'Alpaquita',
  'BellSoft Hardened Containers',
  'Red Hat',
  'Rocky Linux',
  'AlmaLinux',
  'SUSE',
  'openSUSE',
  'openEuler',
  'Azure Linux',
  'Mageia',
  'Photon OS',
] as const;

const WITH_RELEASES: ReadonlySet<string> = new Set(DISTRIBUTIONS);

/** @param base an OSV ecosystem without suffix */
export function isDistribution(base: string): boolean {
  return WITH_RELEASES.has(base);
}

/**
 * Supported ecosystems: OSV's names and folders of its bulk layout. Each has a version order.
 * Components of other ecosystems are undetermined (`unknown_ecosystem`).
 */
export const MATCHED_ECOSYSTEMS: readonly string[] = [
  'npm',
  'PyPI',
  'Go',
  'crates.io',
  'Maven',
  'RubyGems',
  'NuGet',
  'Packagist',
  'Hex',
  'Pub',
  'SwiftURL',
  'ConanCenter',
  'CRAN',
  'Hackage',
  'Bitnami',
  'Julia',
  'opam',
  'Bioconductor',
  'VSCode',
  'GitHub Actions',
  ...DISTRIBUTIONS,
];

/**
 * Rule M13: an OSV ecosystem is `Base[:suffix]`, split at the first colon; the suffix may contain
 * colons (`Ubuntu:22.04:LTS`). An empty suffix counts as none. Source: OSV schema, "Defined
 * ecosystems".
 */
export function splitEcosystem(ecosystem: string): { base: string; suffix: string | null } {
  const colon = ecosystem.indexOf(':');
  if (colon < 0) return { base: ecosystem, suffix: null };
  return { base: ecosystem.slice(0, colon), suffix: ecosystem.slice(colon + 1) || null };
}

/**
 * Rule M15: normalises a package name of an advisory or component for comparison. Names of
 * ecosystems not listed here are compared as written; so are those of npm (old names have
 * capitals), Go, crates.io (`-` and `_` differ), Maven, RubyGems, CRAN, Hackage, Julia, opam,
 * Bioconductor and all RPM distributions. Sources: the purl type definitions; PEP 503 for PyPI;
 * NuGet's registry and the VSCode marketplace ignore case; Debian Policy 5.6.7 and apk allow lower
 * case only.
 *
 * @param base an OSV ecosystem without suffix
 */
export function normaliseName(base: string, name: string): string {
  switch (base) {
    case 'PyPI':
      return normalisePypiName(withoutExtras(name));
    case 'Go':
      return name === 'std' || name === 'go' ? 'stdlib' : name;
    case 'NuGet':
    case 'Packagist':
    case 'Hex':
    case 'Pub':
    case 'Bitnami':
    case 'ConanCenter':
    case 'VSCode':
    case 'GitHub Actions':
    case 'Debian':
    case 'Ubuntu':
    case 'Echo':
    case 'Alpine':
    case 'Wolfi':
    case 'Chainguard':
    case 'MinimOS':
    case 'CleanStart':
    case 'Alpaquita':
    case 'BellSoft Hardened Containers':
      return name.toLowerCase();
    case 'SwiftURL':
      return normaliseGitUrl(name);
    default:
      return name;
  }
}

/** `requests[security]`: extras are not part of the name (PEP 508). */
function withoutExtras(name: string): string {
  const bracket = name.indexOf('[');
  return bracket <= 0 ? name : name.slice(0, bracket).trim();
}

/**
 * Rule M42: a second name under which an advisory's package is looked up; null for none. The purl
 * specification lower-cases Go module paths, so `github.com/Masterminds/goutils` may arrive as
 * `github.com/masterminds/goutils`, which no other module uses. A purl with capitals names its
 * module exactly.
 *
 * @param base an OSV ecosystem without suffix
 */
export function lowerCaseAlias(base: string, name: string): string | null {
  if (base !== 'Go') return null;
  const lower = name.toLowerCase();
  return lower === name ? null : lower;
}

/** Scheme and user of a URL, including `git@` of the scp-like form. */
const BEFORE_HOST = /^(?:[a-z+]+:\/\/)?(?:[^@/]+@)?/i;

/**
 * These hosts ignore the case of owner and repository; elsewhere only the host is case-insensitive.
 */
const HOSTS_WITHOUT_CASE: ReadonlySet<string> = new Set([
  'github.com',
  'gitlab.com',
  'bitbucket.org',
]);

/** Advisories and purls name Swift packages with and without scheme, user and `.git`. */
function normaliseGitUrl(url: string): string {
  const bare = withoutSlashesAtEnd(url.replace(BEFORE_HOST, '')).replace(/\.git$/i, '');
  const end = bare.search(/[/:]/);
  if (end < 0) return bare.toLowerCase();
  const host = bare.slice(0, end).toLowerCase();
  const path = bare.slice(end + 1);
  return `${host}/${HOSTS_WITHOUT_CASE.has(host) ? path.toLowerCase() : path}`;
}
