/** A parsed package URL (purl): every part percent-decoded, null or empty when absent. */
export interface PackageUrl {
  /** Lower case, e.g. `npm`. */
  type: string;
  /** Segments joined by `/`, e.g. `@angular` (npm) or `github.com/aws` (golang). */
  namespace: string | null;
  /** Never empty. */
  name: string;
  version: string | null;
  /** Keys are lower case; keys without a value are dropped; of equal keys the first counts. */
  qualifiers: Readonly<Record<string, string>>;
  subpath: string | null;
  /** Of a Go package whose path the subpath continues: the path without it. */
  module?: string;
}

/** purl specification, "Rules for each purl component"; earlier editions allowed `+`. */
const TYPE = /^[a-z][a-z0-9.+-]*$/;

/**
 * Parses a purl without normalising namespace, name and version (see `packageIdentity`).
 *
 * Returns null for invalid text: no `pkg:` scheme, no valid type or no name. Never throws. Source:
 * purl specification, "How to parse a purl string". Beyond it, accepts any number of slashes after
 * `pkg:`, a raw `@` before an npm scope, an escaped one before the version, a raw `?` in a
 * qualifier's value, and malformed escapes, which are kept. The subpath of a Go package continues its
 * path, see `withWholePath`.
 */
export function parsePurl(text: string): PackageUrl | null {
  const [beforeSubpath, subpathText] = splitAtLast(text.trim(), '#');
  const [beforeQualifiers, qualifierText] = splitAtFirst(beforeSubpath, '?');
  const [scheme, afterScheme] = splitAtFirst(beforeQualifiers, ':');
  if (scheme.toLowerCase() !== 'pkg' || afterScheme === null) return null;

  const [typeText, afterType] = splitAtFirst(afterScheme.replace(/^\/+/, ''), '/');
  const type = typeText.toLowerCase();
  if (!TYPE.test(type) || afterType === null) return null;

  const [path, versionText] = splitVersion(afterType);
  const segments = path.split('/').filter((segment) => segment !== '');
  const named = decode(segments.pop() ?? '');
  if (named === '') return null;
  const isVersioned = versionText !== null && versionText !== '';
  const { name, version } = isVersioned
    ? { name: named, version: decode(versionText) }
    : splitEscapedVersion(type, named);

  return withWholePath({
    type,
    namespace: segments.length === 0 ? null : segments.map(decode).join('/'),
    name,
    version,
    qualifiers: readQualifiers(qualifierText),
    subpath: readSubpath(subpathText),
  });
}

/**
 * Syft 0.103 to 1.38 writes all but the first three elements of a Go module path as subpath:
 * `pkg:golang/github.com/jackc/pgx@v4.10.1#v4` is `github.com/jackc/pgx/v4`, another module than
 * `github.com/jackc/pgx`. By the specification a subpath is inside the module: which of the two it
 * is only matching can tell (M46). With a `type`, as cyclonedx-gomod writes, it is inside. Module
 * paths of one element (`stdlib`) have no end.
 */
function withWholePath(purl: PackageUrl): PackageUrl {
  const { type, namespace, name, qualifiers, subpath } = purl;
  if (type !== 'golang' || namespace === null || subpath === null) return purl;
  if (qualifiers.type !== undefined) return purl;
  const module = `${namespace}/${name}`;
  const path = `${module}/${subpath}`;
  const end = path.lastIndexOf('/');
  const whole = { namespace: path.slice(0, end), name: path.slice(end + 1), subpath: null };
  return { ...purl, ...whole, module };
}

/**
 * The last `@` separates path and version, unless it begins a path segment followed by others: a
 * raw npm scope (`pkg:npm/@scope/name`).
 */
function splitVersion(path: string): [string, string | null] {
  const at = path.lastIndexOf('@');
  const beginsSegment = at === 0 || path[at - 1] === '/';
  if (at < 0 || (beginsSegment && path.includes('/', at))) return [path, null];
  return [path.slice(0, at), path.slice(at + 1)];
}

/** Types whose registries allow `@` only at the start of an npm scope. */
const NAMES_WITHOUT_AT: ReadonlySet<string> = new Set([
  'cargo',
  'composer',
  'gem',
  'golang',
  'hex',
  'maven',
  'npm',
  'nuget',
  'pub',
  'pypi',
]);

/**
 * Microsoft's sbom-tool escapes the `@` before the version (`pkg:nuget/Ninject%403.3.6`). Read
 * literally, the package `Ninject@3.3.6` would never match an advisory.
 */
function splitEscapedVersion(type: string, name: string): { name: string; version: string | null } {
  const at = name.lastIndexOf('@');
  if (at <= 0 || at === name.length - 1 || !NAMES_WITHOUT_AT.has(type)) {
    return { name, version: null };
  }
  return { name: name.slice(0, at), version: name.slice(at + 1) };
}

function readQualifiers(text: string | null): Record<string, string> {
  if (text === null) return {};
  const entries = new Map<string, string>();
  for (const pair of text.split('&')) {
    const [key, value] = splitAtFirst(pair, '=');
    const lowerKey = key.toLowerCase();
    if (lowerKey === '' || value === null || value === '' || entries.has(lowerKey)) continue;
    entries.set(lowerKey, decode(value));
  }
  return Object.fromEntries(entries);
}

/** Empty, `.` and `..` segments are dropped, also when percent-encoded. */
function readSubpath(text: string | null): string | null {
  if (text === null) return null;
  const segments = text
    .split('/')
    .map(decode)
    .filter((segment) => segment !== '' && segment !== '.' && segment !== '..');
  return segments.length === 0 ? null : segments.join('/');
}

function splitAtFirst(text: string, separator: string): [string, string | null] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, null] : [text.slice(0, at), text.slice(at + 1)];
}

function splitAtLast(text: string, separator: string): [string, string | null] {
  const at = text.lastIndexOf(separator);
  return at < 0 ? [text, null] : [text.slice(0, at), text.slice(at + 1)];
}

function decode(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
