import { versionIdsOf, type MatchedComponent } from '../../matching/domain/component';
import { findingPackageKey } from '@bomtrail/osv';

/** Filters the components that have one of the package versions. */
export function withVersions(
  matched: readonly MatchedComponent[],
  versionIds: ReadonlySet<string>,
): MatchedComponent[] {
  return matched.filter((component) => versionIdsOf(component).some((id) => versionIds.has(id)));
}

/**
 * Package keys of the findings that the components may have, one for each package version.
 *
 * @param versions all package versions of the components, by id
 */
export function findingPackagesOf(
  matched: readonly MatchedComponent[],
  versions: ReadonlyMap<string, { ecosystem: string; name: string }>,
): Set<string> {
  const packages = new Set<string>();
  for (const component of matched) {
    for (const id of versionIdsOf(component)) {
      const version = versions.get(id);
      if (version) packages.add(findingPackageKey(component, version));
    }
  }
  return packages;
}
