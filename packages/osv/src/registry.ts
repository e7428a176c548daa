/**
 * Rule M14: the part after an ecosystem's colon must be the same on both sides. For Maven,
 * Packagist and VSCode it is the registry, on the component's side the purl's `repository_url`; null is the
 * ecosystem's default registry. (Of distributions it is the release: see `suffixFit`.)
 *
 * Two different public registries do not fit. Where only one side names a registry, or the component
 * names one that may be a company's mirror of the advisory's, nobody knows. That is `unknown`: never
 * a finding, but never silently clean either. Sources: OSV schema, "Defined ecosystems" (Maven,
 * Packagist, VSCode); purl type definitions ("default repository").
 */
export function registriesFit(advisory: string | null, component: string | null): RegistryFit {
  if (advisory === component) return 'yes';
  const isOther = advisory !== null && component !== null && PUBLIC_REGISTRIES.has(component);
  return isOther ? 'no' : 'unknown';
}

export type RegistryFit = 'yes' | 'no' | 'unknown';

/** Registries that hold packages of their own and mirror nobody. */
const PUBLIC_REGISTRIES: ReadonlySet<string> = new Set([
  'maven.google.com',
  'packages.drupal.org/7',
  'packages.drupal.org/8',
  'open-vsx.org',
]);

/** Hosts that the ecosystems' own tools use when none is configured; nothing else is served there. */
const DEFAULT_HOSTS: ReadonlySet<string> = new Set([
  'repo.maven.apache.org',
  'repo1.maven.org',
  'central.maven.org',
  'packagist.org',
  'repo.packagist.org',
  'www.packagist.org',
  'marketplace.visualstudio.com',
]);

/** What Gradle's `google()` stands for → the address that advisories name. */
const SAME_REGISTRY: ReadonlyMap<string, string> = new Map([
  ['dl.google.com/dl/android/maven2', 'maven.google.com'],
  ['dl.google.com/android/maven2', 'maven.google.com'],
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
  const host = (slash < 0 ? bare : bare.slice(0, slash)).toLowerCase();
  if (DEFAULT_HOSTS.has(host)) return null;
  const address = slash < 0 ? host : host + bare.slice(slash);
  return SAME_REGISTRY.get(address) ?? address;
}

/** By hand: the expression for it takes quadratic time, and documents may hold any text. */
export function withoutSlashesAtEnd(address: string): string {
  let end = address.length;
  while (end > 0 && address[end - 1] === '/') end--;
  return address.slice(0, end);
}
