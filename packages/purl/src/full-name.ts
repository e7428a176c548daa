import type { PackageUrl } from './parse';

/** Here the namespace is the distribution (`debian`, `redhat`), which is no part of the name. */
const NAMESPACE_IS_DISTRIBUTION: ReadonlySet<string> = new Set(['deb', 'rpm', 'apk', 'alpine']);

/**
 * The ecosystem's own full name of a package, as docs/validation.md P4 says: npm
 * `@scope/name`, Maven `group:artifact`, Debian, RPM and Alpine packages the name alone, otherwise
 * `namespace/name` (Go: the module path). The case stays as the purl has it; never empty.
 */
export function fullName({ type, namespace, name }: PackageUrl): string {
  if (namespace === null || NAMESPACE_IS_DISTRIBUTION.has(type)) return name;
  if (type === 'maven') return `${namespace}:${name}`;
  if (type === 'npm') return `${withScopeSign(namespace)}/${name}`;
  return `${namespace}/${name}`;
}

/** Some tools leave the `@` out; an npm name that has a `/` is always a scoped one. */
function withScopeSign(scope: string): string {
  return scope.startsWith('@') ? scope : `@${scope}`;
}
