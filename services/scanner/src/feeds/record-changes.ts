import { pagesOf } from '../domain/pages';
import type { AdvisoryStore } from './store/advisory-store';
import type { PackageChangeStore } from './store/package-change-store';

export interface RecordChangesDeps {
  advisories: AdvisoryStore;
  changes: PackageChangeStore;
}

const groupsPerWrite = 1000;
const packagesPerWrite = 1000;

/**
 * Records packages whose advisories are about to change; called before the change, so that a crash
 * loses none.
 */
export async function recordPackageChanges(
  deps: RecordChangesDeps,
  packages: Iterable<string>,
  revision: number,
): Promise<void> {
  const distinct = new Set(packages);
  for (const page of pagesOf(distinct, {
    items: packagesPerWrite,
  }))
    await deps.changes.add(page, revision);
}

/**
 * Records that alias groups changed. Findings show the whole group, so the packages of all its
 * advisories are affected.
 */
export async function recordGroupChanges(
  deps: RecordChangesDeps,
  groups: Iterable<string>,
  revision: number,
): Promise<void> {
  const distinct = new Set(groups);
  for (const page of pagesOf(distinct, {
    items: groupsPerWrite,
  })) {
    await recordPackageChanges(deps, await deps.advisories.packagesOfGroups(page), revision);
    await deps.advisories.markGroupsChanged(page, revision);
  }
}

/** Records the groups of all advisories that the revision changed. */
export async function recordGroupsChangedAt(
  deps: RecordChangesDeps,
  revision: number,
): Promise<void> {
  const groups = new Set<string>();
  for await (const { group } of deps.advisories.listChangedAt(revision)) groups.add(group);
  await recordGroupChanges(deps, groups, revision);
}
