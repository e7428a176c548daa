import { compareAlpine } from './comparers/alpine';
import { compareBitnami } from './comparers/bitnami';
import { compareConanCenter } from './comparers/conan-center';
import { compareCran } from './comparers/cran';
import { compareCratesIo } from './comparers/crates-io';
import { compareDebian } from './comparers/debian';
import { compareGhc } from './comparers/ghc';
import { compareGithubActions } from './comparers/github-actions';
import { compareGo } from './comparers/go';
import { compareHackage } from './comparers/hackage';
import { compareHex } from './comparers/hex';
import { compareJulia } from './comparers/julia';
import { compareKubernetes } from './comparers/kubernetes';
import { compareMaven } from './comparers/maven';
import { compareNpm } from './comparers/npm';
import { compareNuget } from './comparers/nuget';
import { compareOpam } from './comparers/opam';
import { comparePackagist } from './comparers/packagist';
import { comparePub } from './comparers/pub';
import { comparePypi, isLegacyPypi } from './comparers/pypi';
import { compareRedHat } from './comparers/red-hat';
import { compareRubygems } from './comparers/rubygems';
import { compareSwiftUrl } from './comparers/swift-url';
import { compareVscode } from './comparers/vscode';
import type { Compare } from './ordering';

/**
 * Comparers by base name of the ecosystem in the OSV schema 1.7 ("Defined ecosystems").
 * Distributions use the order of apk, dpkg or RPM; Bioconductor uses R's.
 *
 * Without comparer, therefore undetermined: Android, FreeBSD, Linux and OSS-Fuzz (no package URL
 * names their packages), Docker Hardened Images and Root (their suffix chooses among several
 * orders).
 */
const COMPARERS: ReadonlyMap<string, Compare> = new Map<string, Compare>([
  ['AlmaLinux', compareRedHat],
  ['Alpaquita', compareAlpine],
  ['Alpine', compareAlpine],
  ['Azure Linux', compareRedHat],
  ['BellSoft Hardened Containers', compareAlpine],
  ['Bioconductor', compareCran],
  ['Bitnami', compareBitnami],
  ['CRAN', compareCran],
  ['Chainguard', compareAlpine],
  ['CleanStart', compareAlpine],
  ['ConanCenter', compareConanCenter],
  ['Debian', compareDebian],
  ['Echo', compareDebian],
  ['GHC', compareGhc],
  ['GitHub Actions', compareGithubActions],
  ['Go', compareGo],
  ['Hackage', compareHackage],
  ['Hex', compareHex],
  ['Julia', compareJulia],
  ['Kubernetes', compareKubernetes],
  ['Mageia', compareRedHat],
  ['Maven', compareMaven],
  ['MinimOS', compareAlpine],
  ['NuGet', compareNuget],
  ['Packagist', comparePackagist],
  ['Photon OS', compareRedHat],
  ['Pub', comparePub],
  ['PyPI', comparePypi],
  ['Red Hat', compareRedHat],
  ['Rocky Linux', compareRedHat],
  ['RubyGems', compareRubygems],
  ['SUSE', compareRedHat],
  ['SwiftURL', compareSwiftUrl],
  ['Ubuntu', compareDebian],
  ['VSCode', compareVscode],
  ['Wolfi', compareAlpine],
  ['crates.io', compareCratesIo],
  ['npm', compareNpm],
  ['opam', compareOpam],
  ['openEuler', compareRedHat],
  ['openSUSE', compareRedHat],
]);

/**
 * Returns the version order of an ecosystem.
 *
 * @param ecosystem OSV base name, e.g. `npm`, `PyPI`, `crates.io`: case-sensitive, without suffix
 * @returns undefined without a comparer; there is no default order
 */
export function comparerOf(ecosystem: string): Compare | undefined {
  return COMPARERS.get(ecosystem);
}

/** The base names known to `comparerOf`, sorted by code unit. */
export function ecosystemsWithComparer(): readonly string[] {
  return [...COMPARERS.keys()].sort();
}

/** Fast path for most versions. */
const NUMBERS = /^[0-9]+(?:\.[0-9]+)*$/;

/**
 * Whether the position of a version in its order is only a convention that does not reflect its
 * age: PyPI's versions before PEP 440 precede all others, `4.11-final` precedes `0.1`. Such a
 * position must not be taken as proof that a version is unaffected.
 */
export function isPlacedByConvention(ecosystem: string, version: string): boolean {
  return ecosystem === 'PyPI' && !NUMBERS.test(version) && isLegacyPypi(version);
}
