import { normalisePypiName } from '@bomtrail/purl';
import { withoutSlashesAtEnd } from './registry';

/** Ecosystems whose suffix is a distribution's release; every other one's is a registry. */
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
 * The ecosystems (OSV's names, which are also the folders of its bulk layout) whose packages are
 * matched. Each has a version order of its own. Components of every other one are undetermined with
 * the reason `unknown_ecosystem`, and counted.
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
 * Rule M13: an OSV ecosystem is `Base[:suffix]`, split at the first colon; the suffix may hold
 * further ones (`Ubuntu:22.04:LTS`). An empty suffix is none. Source: OSV schema, "Defined
 * ecosystems".
 */
export function splitEcosystem(ecosystem: string): { base: string; suffix: string | null } {
  const colon = ecosystem.indexOf(':');
  if (colon < 0) return { base: ecosystem, suffix: null };
  return { base: ecosystem.slice(0, colon), suffix: ecosystem.slice(colon + 1) || null };
}

/**
 * Rule M15: a package's name as both sides, advisory and component, are compared. Ecosystems that
 * are not named here compare names as they are written; so do npm (old names with capitals exist),
 * Go, crates.io (`-` and `_` differ), Maven, RubyGems, CRAN, Hackage, Julia, opam,
 * Bioconductor and all that build RPM packages. Sources: the purl type definitions; PEP 503 for PyPI; NuGet's registry and the marketplace
 * of VSCode ignore case;
 * Debian Policy 5.6.7 and apk allow lower case only.
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

/** `requests[security]`: what is wanted beside the project is no part of its name (PEP 508). */
function withoutExtras(name: string): string {
  const bracket = name.indexOf('[');
  return bracket <= 0 ? name : name.slice(0, bracket).trim();
}

/**
 * Rule M42: the other name, beside its own, that a package of an advisory is looked up by; null where
 * there is none. The purl specification wants Go's module paths in lower case, and libraries obey it:
 * `github.com/Masterminds/goutils` then reaches us as `github.com/masterminds/goutils`, which no other
 * module is called. A purl with capitals names its module exactly.
 *
 * @param base an OSV ecosystem without suffix
 */
export function lowerCaseAlias(base: string, name: string): string | null {
  if (base !== 'Go') return null;
  const lower = name.toLowerCase();
  return lower === name ? null : lower;
}

/** Scheme and user of an address, `git@` of the scp-like form included. */
const BEFORE_HOST = /^(?:[a-z+]+:\/\/)?(?:[^@/]+@)?/i;

/** These take owner and repository in any case; elsewhere only the host is free of it. */
const HOSTS_WITHOUT_CASE: ReadonlySet<string> = new Set([
  'github.com',
  'gitlab.com',
  'bitbucket.org',
]);

/** Advisories and purls name a Swift package with and without scheme, user and `.git`. */
function normaliseGitUrl(url: string): string {
  const bare = withoutSlashesAtEnd(url.replace(BEFORE_HOST, '')).replace(/\.git$/i, '');
  const end = bare.search(/[/:]/);
  if (end < 0) return bare.toLowerCase();
  const host = bare.slice(0, end).toLowerCase();
  const path = bare.slice(end + 1);
  return `${host}/${HOSTS_WITHOUT_CASE.has(host) ? path.toLowerCase() : path}`;
}
