import type { PackageUrl } from './parse';

/**
 * Types whose namespace is the distribution (`debian`, `redhat`), which is not part of the name.
 */
const NAMESPACE_IS_DISTRIBUTION: ReadonlySet<string> = new Set(['deb', 'rpm', 'apk', 'alpine']);

/**
 * Full name of a package in its ecosystem (docs/validation.md P4): npm `@scope/name`, Maven
 * `group:artifact`, Debian, RPM and Alpine packages the name alone, otherwise `namespace/name` (Go:
 * the module path). The case is unchanged; never empty.
 */
export function fullName({ type, namespace, name }: PackageUrl): string {
  if (namespace === null || NAMESPACE_IS_DISTRIBUTION.has(type)) return name;
  if (type === 'maven') return `${namespace}:${name}`;
  if (type === 'npm') return `${withScopeSign(namespace)}/${name}`;
  return `${namespace}/${name}`;
}

/** Some tools omit the `@`; an npm name with a `/` is always scoped. */
function withScopeSign(scope: string): string {
  return scope.startsWith('@') ? scope : `@${scope}`;
}
