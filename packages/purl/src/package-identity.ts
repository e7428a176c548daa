import { fullName } from './full-name';
import type { PackageUrl } from './parse';

/**
 * Types whose namespace and name are compared without case. Source: purl specification, type
 * definitions; NuGet besides, whose registry ignores case.
 */
const LOWER_CASE: ReadonlySet<string> = new Set([
  'alpm',
  'apk',
  'bitbucket',
  'bitnami',
  'composer',
  'deb',
  'github',
  'gitlab',
  'hex',
  'nuget',
  'oci',
  'pub',
]);

/**
 * What identifies "the package" over its versions: the purl without version, qualifiers and
 * subpath, with the type's rules applied (PyPI normalised, composer, GitHub, Hex, NuGet and others
 * lower-cased, Go, npm, Maven and Cargo verbatim) and percent-encoded in the one canonical way.
 * Two purls have equal identities exactly when they name the same package.
 */
export function packageIdentity(purl: PackageUrl): string {
  const { type, path } = canonicalPath(purl);
  return `pkg:${type}/${path.split('/').map(encode).join('/')}`;
}

function canonicalPath(purl: PackageUrl): { type: string; path: string } {
  const { type, namespace, name } = purl;
  const path = namespace === null ? name : `${namespace}/${name}`;
  if (type === 'npm') return { type, path: fullName(purl) };
  if (type === 'pypi') return { type, path: normalisePypiName(path) };
  // Older documents write `pkg:alpine/name` for what is `pkg:apk/alpine/name` today.
  if (type === 'alpine') return { type: 'apk', path: `alpine/${name.toLowerCase()}` };
  if (type === 'rpm')
    return { type, path: [namespace?.toLowerCase(), name].filter(Boolean).join('/') };
  return { type, path: LOWER_CASE.has(type) ? path.toLowerCase() : path };
}

/**
 * A Python project's name as the index compares names: lower case, each run of `-`, `_` and `.` one
 * `-`. Source: PyPA "Names and normalization" (PEP 503).
 */
export function normalisePypiName(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-');
}

/** purl specification, "Character encoding": all but unreserved characters and `:` is escaped. */
function encode(segment: string): string {
  return encodeURIComponent(segment.replace(/\p{Surrogate}/gu, '\ufffd'))
    .replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%3A', ':');
}
