import { comparerOf } from '@bomtrail/versioning';

/** purl type → OSV ecosystem with its version order (purl specification, type definitions). */
const ECOSYSTEM_OF_TYPE: ReadonlyMap<string, string> = new Map([
  ['alpine', 'Alpine'],
  ['apk', 'Alpine'],
  ['bioconductor', 'Bioconductor'],
  ['bitnami', 'Bitnami'],
  ['cargo', 'crates.io'],
  ['composer', 'Packagist'],
  ['conan', 'ConanCenter'],
  ['cran', 'CRAN'],
  ['deb', 'Debian'],
  ['gem', 'RubyGems'],
  ['github', 'GitHub Actions'],
  ['githubactions', 'GitHub Actions'],
  ['golang', 'Go'],
  ['hackage', 'Hackage'],
  ['hex', 'Hex'],
  ['julia', 'Julia'],
  ['maven', 'Maven'],
  ['npm', 'npm'],
  ['nuget', 'NuGet'],
  ['opam', 'opam'],
  ['pub', 'Pub'],
  ['pypi', 'PyPI'],
  ['rpm', 'Red Hat'],
  ['swift', 'SwiftURL'],
  ['vscode-extension', 'VSCode'],
]);

/**
 * Sorts distinct versions of one package, lowest first: by the order of its ecosystem, then the
 * unreadable ones by their numbers and letters. Versions of an unknown ecosystem, and equal ones
 * (`1.0`, `1.0.0`), are sorted by numbers and letters.
 *
 * @param purlType lower case; null without a purl
 */
export function inVersionOrder(versions: readonly string[], purlType: string | null): string[] {
  if (versions.length < 2) return [...versions];
  const plain = inPlainOrder(versions);
  const compare = comparerOf(ECOSYSTEM_OF_TYPE.get(purlType ?? '') ?? '');
  if (compare === undefined) return plain;
  const readable = plain.filter((version) => compare(version, version) === 0);
  const unreadable = plain.filter((version) => compare(version, version) !== 0);
  return [...readable.sort((one, other) => compare(one, other) ?? 0), ...unreadable];
}

/** Sequences of digits by value, before other characters by code units; `1.9` before `1.10`. */
function inPlainOrder(versions: readonly string[]): string[] {
  return versions
    .map((version) => ({ version, runs: version.match(/\d+|\D+/g) ?? [] }))
    .sort((one, other) => orderRuns(one.runs, other.runs) || (one.version < other.version ? -1 : 1))
    .map(({ version }) => version);
}

function orderRuns(one: readonly string[], other: readonly string[]): number {
  const shared = Math.min(one.length, other.length);
  for (let at = 0; at < shared; at++) {
    const result = orderRun(one[at] ?? '', other[at] ?? '');
    if (result !== 0) return result;
  }
  return one.length - other.length;
}

function orderRun(one: string, other: string): number {
  const areNumbers = isNumber(one) && isNumber(other);
  const [left, right] = areNumbers ? [significant(one), significant(other)] : [one, other];
  if (areNumbers && left.length !== right.length) return left.length - right.length;
  return left === right ? 0 : left < right ? -1 : 1;
}

function isNumber(run: string): boolean {
  const code = run.charCodeAt(0);
  return code >= 48 && code <= 57;
}

function significant(digits: string): string {
  return digits.replace(/^0+/, '');
}
