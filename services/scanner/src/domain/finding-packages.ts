import { versionIdsOf, type Hit } from './component';
import { findingPackageKey } from './describe-findings';

/** The hits that are one of these package versions. */
export function hitsOf(hits: readonly Hit[], versionIds: ReadonlySet<string>): Hit[] {
  return hits.filter((hit) => versionIdsOf(hit).some((id) => versionIds.has(id)));
}

/**
 * The packages of the findings that hits may have: a component that is several package versions counts
 * under each name that one of them gives it.
 *
 * @param versions by id, all that the hits are
 */
export function findingPackagesOf(
  hits: readonly Hit[],
  versions: ReadonlyMap<string, { ecosystem: string; name: string }>,
): Set<string> {
  const packages = new Set<string>();
  for (const hit of hits) {
    for (const id of versionIdsOf(hit)) {
      const version = versions.get(id);
      if (version) packages.add(findingPackageKey(hit, version));
    }
  }
  return packages;
}
