/**
 * Rule M14: the part after an ecosystem's colon must be the same on both sides. For Maven,
 * Packagist and VSCode it is the registry, on the component's side the purl's `repository_url`; null is the
 * ecosystem's default registry. (Of distributions it is the release: see `suffixFit`.)
 *
 * Two different registries do not fit. Where only one side names a registry, nobody knows: a purl
 * often leaves the registry out, or names a mirror of the default one. That is `unknown`: never a
 * finding, but never silently clean either. Sources: OSV schema, "Defined ecosystems" (Maven,
 * Packagist, VSCode); purl type definitions ("default repository").
 */
export function registriesFit(advisory: string | null, component: string | null): RegistryFit {
  if (advisory === component) return 'yes';
  return advisory === null || component === null ? 'unknown' : 'no';
}

export type RegistryFit = 'yes' | 'no' | 'unknown';

/** Addresses that the ecosystems' own tools use when none is configured. */
const DEFAULT_REGISTRIES: ReadonlySet<string> = new Set([
  'repo.maven.apache.org/maven2',
  'repo1.maven.org/maven2',
  'central.maven.org/maven2',
  'packagist.org',
  'repo.packagist.org',
  'www.packagist.org',
  'marketplace.visualstudio.com',
  'marketplace.visualstudio.com/vscode',
]);

/** The ecosystems whose suffix in OSV is a registry's address. */
const WITH_REGISTRIES: ReadonlySet<string> = new Set(['Maven', 'Packagist', 'VSCode']);

/** @param base an OSV ecosystem without suffix */
export function hasRegistries(base: string): boolean {
  return WITH_REGISTRIES.has(base);
}

/**
 * A registry's address in the form that is compared: without scheme (purls leave it out) and
 * trailing slash, the host in lower case; null for a default registry. A suffix of any other
 * ecosystem stays as it is.
 *
 * @param base an OSV ecosystem without suffix
 */
export function normaliseSuffix(base: string, suffix: string | null): string | null {
  if (suffix === null || suffix === '') return null;
  if (!hasRegistries(base)) return suffix;
  const bare = withoutSlashesAtEnd(suffix.replace(/^[a-z+]+:\/\//i, ''));
  const slash = bare.indexOf('/');
  const address =
    slash < 0 ? bare.toLowerCase() : bare.slice(0, slash).toLowerCase() + bare.slice(slash);
  return DEFAULT_REGISTRIES.has(address) ? null : address;
}

/** By hand: the expression for it takes quadratic time, and documents may hold any text. */
export function withoutSlashesAtEnd(address: string): string {
  let end = address.length;
  while (end > 0 && address[end - 1] === '/') end--;
  return address.slice(0, end);
}
