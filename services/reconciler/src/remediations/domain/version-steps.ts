import { comparerOf } from '@bomtrail/versioning';

/** Ecosystems whose tools treat `0.y` as a release line of its own (`^0.2.3` ends before `0.3.0`). */
const zeroLines: ReadonlySet<string> = new Set([
  'npm',
  'crates.io',
  'Packagist',
  'Hex',
  'Pub',
  'Julia',
]);

/** Ecosystems with release lines: a higher first number announces incompatible changes. */
const withLines: ReadonlySet<string> = new Set([
  ...zeroLines,
  'PyPI',
  'Go',
  'Maven',
  'RubyGems',
  'NuGet',
  'SwiftURL',
  'ConanCenter',
  'CRAN',
  'Hackage',
  'Bitnami',
  'opam',
  'Bioconductor',
  'VSCode',
  'GitHub Actions',
]);

const leadingNumbers = /^(?:v|go)?((?:\d+!)?)(\d+(?:\.\d+)*)/i;

/**
 * RM4: whether a step leaves the release line: the first number rises (PyPI: or the epoch), below 1.0 also
 * the second where the ecosystem's tools treat it so. Distributions have no lines: a release fixes in place.
 */
export function isMajorStep(ecosystem: string, from: string, to: string): boolean {
  if (!withLines.has(ecosystem)) return false;
  return lineOf(ecosystem, from) !== lineOf(ecosystem, to);
}

function lineOf(ecosystem: string, version: string): string {
  const [, epoch = '', numbers = version] = leadingNumbers.exec(version) ?? [];
  const [first = '', second = '0'] = numbers.split('.').map((one) => one.replace(/^0+(?=\d)/, ''));
  return first === '0' && zeroLines.has(ecosystem) ? `${epoch}0.${second}` : `${epoch}${first}`;
}

/** Go names commits between releases so; advisories name them as fixes. */
const goPseudoVersion = /[-.]\d{14}-[0-9a-f]{12}(?:\+incompatible)?$/;

/**
 * Whether a version precedes the release that it names, by the ecosystem's own order: `1.0-rc1` precedes
 * `1.0`, `31.1-jre` does not precede `31.1`. A Go pseudo-version counts as a release, and so does every
 * version of a distribution.
 */
export function isPrerelease(ecosystem: string, version: string): boolean {
  if (!withLines.has(ecosystem)) return false;
  if (ecosystem === 'Go' && goPseudoVersion.test(version)) return false;
  const [release] = leadingNumbers.exec(version) ?? [];
  if (release === undefined || release === version) return false;
  return comparerOf(ecosystem)?.(version, release) === -1;
}
