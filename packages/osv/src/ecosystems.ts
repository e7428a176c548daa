import { normalisePypiName } from '@bomtrail/purl';

/**
 * The ecosystems (OSV's names) whose packages are matched. Components of every other one are
 * undetermined with the reason `unknown_ecosystem`, and counted.
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
 * Go, crates.io (`-` and `_` differ), Maven and RubyGems. Sources: the purl type definitions; PEP
 * 503 for PyPI; NuGet's registry ignores case.
 *
 * @param base an OSV ecosystem without suffix
 */
export function normaliseName(base: string, name: string): string {
  switch (base) {
    case 'PyPI':
      return normalisePypiName(name);
    case 'Go':
      return name === 'std' ? 'stdlib' : name;
    case 'NuGet':
    case 'Packagist':
    case 'Hex':
    case 'Pub':
    case 'Bitnami':
    case 'GitHub Actions':
      return name.toLowerCase();
    case 'SwiftURL':
      return normaliseGitUrl(name);
    default:
      return name;
  }
}

/** Advisories name a Swift package with and without scheme and `.git`; hosts ignore case. */
function normaliseGitUrl(url: string): string {
  const bare = url.replace(/^[a-z+]+:\/\//i, '').replace(/\.git$/, '');
  const slash = bare.indexOf('/');
  return slash < 0 ? bare : bare.slice(0, slash).toLowerCase() + bare.slice(slash);
}
