import { maxChangedPackages } from '@bomtrail/messages';
import { versionIdsOf, type MatchedComponent } from '../matching/domain/component';
import { findingPackagesOf, withVersions } from './domain/finding-packages';
import { pagesOf } from '../domain/pages';
import type { ComponentSetStore } from '../matching/store/component-set-store';
import type { PackageVersionStore } from '../matching/store/package-version-store';

export interface ChangedPackagesDeps {
  sets: ComponentSetStore;
  versions: PackageVersionStore;
}

const versionsPerRead = 500;

/** The matched components of sets that have one of the package versions, by digest. */
export async function readMatchedWith(
  deps: ChangedPackagesDeps,
  digests: readonly string[],
  moved: ReadonlySet<string>,
): Promise<Map<string, MatchedComponent[]>> {
  const sets = await Promise.all(digests.map((digest) => deps.sets.read(digest)));
  return new Map(
    sets.flatMap((set) => (set ? [[set.digest, withVersions(set.matched, moved)] as const] : [])),
  );
}

/**
 * Records the packages whose findings changed in sets, from the matched components before and
 * after, so that the reconciler evaluates only those. Above `maxChangedPackages` nothing is
 * recorded, which means any package.
 */
export async function recordChangedPackages(
  deps: ChangedPackagesDeps,
  components: {
    before: ReadonlyMap<string, MatchedComponent[]>;
    after: ReadonlyMap<string, MatchedComponent[]>;
  },
  revision: number,
): Promise<void> {
  const matched = new Map(
    [...components.before].map(([digest, before]) => [
      digest,
      [...before, ...(components.after.get(digest) ?? [])],
    ]),
  );
  const ids = new Set([...matched.values()].flat().flatMap(versionIdsOf));
  const versions = new Map<string, { ecosystem: string; name: string }>();
  for (const some of pagesOf(ids, { items: versionsPerRead }))
    for (const version of await deps.versions.find(some)) versions.set(version._id, version);
  const noted = [...matched].map(([digest, some]) => ({
    digest,
    packages: [...findingPackagesOf(some, versions)].sort(),
  }));
  await deps.sets.recordChangedPackages(
    noted.filter(({ packages }) => packages.length <= maxChangedPackages),
    revision,
  );
}
