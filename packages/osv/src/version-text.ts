/**
 * Rule M16: normalises a version for its ecosystem's comparer: npm, Go and Packagist without a
 * leading `v`, Go's toolchain without `go`, RubyGems without the platform. Idempotent. Source: purl
 * type definitions and each tool's tags (matching guide, section 4).
 *
 * @param base an OSV ecosystem without suffix
 */
export function versionText(base: string, version: string): string {
  const text = version.trim();
  if (text.length > LONGEST) return text;
  switch (base) {
    case 'npm':
    case 'Packagist':
      return text.replace(/^v(?=\d)/i, '');
    case 'Go':
      return goVersion(text);
    case 'RubyGems':
      return text.replace(GEM_PLATFORM, '');
    default:
      return text;
  }
}

/** No comparer reads longer versions, and the expression for gem platforms takes quadratic time. */
const LONGEST = 1024;

/** Marks a version of an RPM source package with an unknown epoch (M32). */
export const UNKNOWN_EPOCH = '?:';

/** Removes both epochs when one of them is unknown. */
export function withoutUnknownEpoch(a: string, b: string): readonly [string, string] {
  if (!a.startsWith(UNKNOWN_EPOCH) && !b.startsWith(UNKNOWN_EPOCH)) return [a, b];
  return [a.replace(EPOCH, ''), b.replace(EPOCH, '')];
}

const EPOCH = /^(?:\d+|\?):/;

/**
 * A gem's version has a `-` only before its platform: `1.13.0-x86_64-linux`, `9.2-java`. Only known
 * systems are removed, so that `1.0-rc1` keeps its prerelease. Source: Gem::Platform's list of
 * systems.
 */
const GEM_PLATFORM =
  /-(?:[a-z0-9_]+-)?(?:java|jruby|linux|darwin|mingw|mswin|freebsd|openbsd|netbsd|solaris|aix|cygwin|macruby|dalvik|dotnet|wasi)[a-z0-9_.]*(?:-[a-z0-9_.]+)*$/i;

/**
 * Rule M48: the part of a version that is compared: for Bitnami without the revision, for Drupal
 * modules (M45) without the core's version.
 *
 * @param base an OSV ecosystem without suffix
 */
export function comparedText(base: string, version: string): string {
  const text = versionText(base, version);
  if (text.length > LONGEST) return text;
  if (base === 'Bitnami') return text.replace(BITNAMI_REVISION, '$1');
  return base === 'Packagist' ? text.replace(DRUPAL_CORE, '') : text;
}

/** drupal.org writes `8.x-1.5` (core first), Composer `1.5.0`. */
const DRUPAL_CORE = /^\d+\.x-(?=\d)/;

/**
 * `6.8.2-1` is Bitnami's next build of the same upstream version: neither above `last_affected:
 * 6.8.2` nor below `fixed: 6.8.2`.
 */
const BITNAMI_REVISION = /^(v?\d+(?:\.\d+)*)-\d+(?:\.\d+)*(?=\+|$)/i;

/** Go's releases are tagged `go1.21rc2`; its advisories write the same as `1.21.0-rc.2`. */
function goVersion(text: string): string {
  const bare = text.replace(/^(?:v|go)(?=\d)/, '');
  const prerelease = /^(\d+\.\d+)(\.\d+)?(rc|beta)(\d+)$/.exec(bare);
  if (prerelease === null) return bare;
  const [, minor, patch = '.0', stage, count] = prerelease;
  return `${minor}${patch}-${stage}.${count}`;
}
