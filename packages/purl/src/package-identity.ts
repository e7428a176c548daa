import { fullName } from './full-name';
import type { PackageUrl } from './parse';

/**
 * Types whose namespace and name are case-insensitive. Source: purl specification, type
 * definitions; NuGet's registry.
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
 * Identity of a package across its versions: the purl without version, qualifiers and subpath, with
 * the type's normalisation and canonical percent-encoding. Two purls have equal identities exactly
 * when they name the same package.
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
  // Older documents write `pkg:alpine/name` for `pkg:apk/alpine/name`.
  if (type === 'alpine') return { type: 'apk', path: `alpine/${name.toLowerCase()}` };
  if (type === 'rpm')
    return { type, path: [namespace?.toLowerCase(), name].filter(Boolean).join('/') };
  return { type, path: LOWER_CASE.has(type) ? path.toLowerCase() : path };
}

/**
 * Normalises the name of a Python project: lower case, each sequence of `-`, `_` and `.` one `-`.
 * Source: PyPA "Names and normalization" (PEP 503).
 */
export function normalisePypiName(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-');
}

/** purl specification, "Character encoding": all but unreserved characters and `:` are escaped. */
function encode(segment: string): string {
  return encodeURIComponent(segment.replace(/\p{Surrogate}/gu, '\ufffd'))
    .replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%3A', ':');
}
