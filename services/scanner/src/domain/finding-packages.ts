import { versionIdsOf, type MatchedComponent } from './component';
import { findingPackageKey } from './describe-findings';

/** The hits that are one of these package versions. */
export function withVersions(
  matched: readonly MatchedComponent[],
  versionIds: ReadonlySet<string>,
): MatchedComponent[] {
  return matched.filter((component) => versionIdsOf(component).some((id) => versionIds.has(id)));
}

/**
 * The packages of the findings that hits may have: a component that is several package versions counts
 * under each name that one of them gives it.
 *
 * @param versions by id, all that the hits are
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
