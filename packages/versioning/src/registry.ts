import { compareAlpine } from './comparers/alpine';
import { compareBitnami } from './comparers/bitnami';
import { compareConanCenter } from './comparers/conan-center';
import { compareCran } from './comparers/cran';
import { compareCratesIo } from './comparers/crates-io';
import { compareDebian } from './comparers/debian';
import { compareGithubActions } from './comparers/github-actions';
import { compareGo } from './comparers/go';
import { compareHackage } from './comparers/hackage';
import { compareHex } from './comparers/hex';
import { compareJulia } from './comparers/julia';
import { compareMaven } from './comparers/maven';
import { compareNpm } from './comparers/npm';
import { compareNuget } from './comparers/nuget';
import { comparePackagist } from './comparers/packagist';
import { comparePub } from './comparers/pub';
import { comparePypi } from './comparers/pypi';
import { compareRedHat } from './comparers/red-hat';
import { compareRubygems } from './comparers/rubygems';
import { compareSwiftUrl } from './comparers/swift-url';
import type { Compare } from './ordering';

/** Every ecosystem that has a comparer, by its base name in the OSV schema ("Defined Ecosystems"). */
const COMPARERS: ReadonlyMap<string, Compare> = new Map<string, Compare>([
  ['AlmaLinux', compareRedHat],
  ['Alpaquita', compareAlpine],
  ['Alpine', compareAlpine],
  ['Azure Linux', compareRedHat],
  ['Bitnami', compareBitnami],
  ['CRAN', compareCran],
  ['Chainguard', compareAlpine],
  ['ConanCenter', compareConanCenter],
  ['Debian', compareDebian],
  ['GitHub Actions', compareGithubActions],
  ['Go', compareGo],
  ['Hackage', compareHackage],
  ['Hex', compareHex],
  ['Julia', compareJulia],
  ['Mageia', compareRedHat],
  ['Maven', compareMaven],
  ['NuGet', compareNuget],
  ['Packagist', comparePackagist],
  ['Pub', comparePub],
  ['PyPI', comparePypi],
  ['Red Hat', compareRedHat],
  ['Rocky Linux', compareRedHat],
  ['RubyGems', compareRubygems],
  ['SUSE', compareRedHat],
  ['SwiftURL', compareSwiftUrl],
  ['Ubuntu', compareDebian],
  ['Wolfi', compareAlpine],
  ['crates.io', compareCratesIo],
  ['npm', compareNpm],
  ['openEuler', compareRedHat],
  ['openSUSE', compareRedHat],
]);

/**
 * The version order of an ecosystem.
 *
 * @param ecosystem OSV base name, e.g. `npm`, `PyPI`, `crates.io`: case-sensitive, without suffix.
 * @returns undefined when there is no comparer: the caller reports it as undetermined. There is no
 *   default order.
 */
export function comparerOf(ecosystem: string): Compare | undefined {
  return COMPARERS.get(ecosystem);
}

/** The base names that `comparerOf` knows, sorted by code unit. */
export function ecosystemsWithComparer(): readonly string[] {
  return [...COMPARERS.keys()].sort();
}
