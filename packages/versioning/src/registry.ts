import { compareCratesIo } from './comparers/crates-io';
import { compareGo } from './comparers/go';
import { compareMaven } from './comparers/maven';
import { compareNpm } from './comparers/npm';
import { compareNuget } from './comparers/nuget';
import { comparePackagist } from './comparers/packagist';
import { comparePypi } from './comparers/pypi';
import { compareRubygems } from './comparers/rubygems';
import type { Compare } from './ordering';

/** Every ecosystem that has a comparer, by its base name in the OSV schema ("Defined Ecosystems"). */
const COMPARERS: ReadonlyMap<string, Compare> = new Map<string, Compare>([
  ['Go', compareGo],
  ['Maven', compareMaven],
  ['NuGet', compareNuget],
  ['Packagist', comparePackagist],
  ['PyPI', comparePypi],
  ['RubyGems', compareRubygems],
  ['crates.io', compareCratesIo],
  ['npm', compareNpm],
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
