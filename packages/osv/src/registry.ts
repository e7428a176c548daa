/**
 * Rule M14: compares the suffixes of two ecosystems. For Maven, Packagist and VSCode the suffix is
 * the registry, on the component's side the purl's `repository_url`; null is the default registry.
 * (For distributions it is the release: see `suffixFit`.)
 *
 * Two different public registries do not fit. If only one side names a registry, or the component's
 * may be a mirror of the advisory's, the result is `unknown`: neither a finding nor clean. Sources:
 * OSV schema, "Defined ecosystems" (Maven, Packagist, VSCode); purl type definitions ("default
 * repository").
 */
export function registriesFit(advisory: string | null, component: string | null): RegistryFit {
  if (advisory === component) return 'yes';
  const isOther = advisory !== null && component !== null && PUBLIC_REGISTRIES.has(component);
  return isOther ? 'no' : 'unknown';
}

export type RegistryFit = 'yes' | 'no' | 'unknown';

/** Registries with packages of their own that mirror no other. */
const PUBLIC_REGISTRIES: ReadonlySet<string> = new Set([
  'maven.google.com',
  'packages.drupal.org/7',
  'packages.drupal.org/8',
  'open-vsx.org',
]);

/** Default hosts of the ecosystems' tools. */
const DEFAULT_HOSTS: ReadonlySet<string> = new Set([
  'repo.maven.apache.org',
  'repo1.maven.org',
  'central.maven.org',
  'packagist.org',
  'repo.packagist.org',
  'www.packagist.org',
  'marketplace.visualstudio.com',
]);

/** Gradle's `google()` → the URL in advisories. */
const SAME_REGISTRY: ReadonlyMap<string, string> = new Map([
  ['dl.google.com/dl/android/maven2', 'maven.google.com'],
  ['dl.google.com/android/maven2', 'maven.google.com'],
]);

/** Ecosystems whose suffix in OSV is the URL of a registry. */
const WITH_REGISTRIES: ReadonlySet<string> = new Set(['Maven', 'Packagist', 'VSCode']);

/** @param base an OSV ecosystem without suffix */
export function hasRegistries(base: string): boolean {
  return WITH_REGISTRIES.has(base);
}

/**
 * Normalises the URL of a registry: without scheme (purls omit it) and trailing slash, the host in
 * lower case; null for a default registry. Suffixes of other ecosystems are unchanged.
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

/** Not a regular expression, which would take quadratic time. */
export function withoutSlashesAtEnd(address: string): string {
  let end = address.length;
  while (end > 0 && address[end - 1] === '/') end--;
  return address.slice(0, end);
}
