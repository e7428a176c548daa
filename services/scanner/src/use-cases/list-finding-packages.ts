import { AppError, type FindingPackages } from '@bomtrail/messages';
import { packJson } from '@bomtrail/service-kit';
import type { MatchedComponent } from '../domain/component';
import { findingPackageKey } from '../domain/describe-findings';
import { pagesOf } from '../domain/pages';
import { readAt, type ReadFindingsDeps } from './read-findings';

/** Of a hit whose matches were not counted, which earlier releases stored. */
const assumedMatches = 100;
const versionsPerRead = 500;

/**
 * The packages that component sets have findings in, each with about how many there are in all of the
 * sets: by this, readers divide what is too much at once.
 *
 * @returns `revision`: all sets are right for it at least; `packages`: `FindingPackages`, packed
 * @throws AppError `sbom_not_found` when one of the sets was not evaluated yet
 */
export async function listFindingPackages(
  deps: ReadFindingsDeps,
  digests: readonly string[],
): Promise<{ revision: number; packages: Uint8Array }> {
  const state = await deps.feed.read();
  const counts = new Map<string, number>();
  let revision = Number.MAX_SAFE_INTEGER;
  for (const digest of new Set(digests)) {
    const older: MatchedComponent[] = [];
    const add = (key: string, { matches = assumedMatches }: MatchedComponent): void =>
      void counts.set(key, (counts.get(key) ?? 0) + matches);
    const set = await deps.sets.readSome(digest, (component) => {
      if (component.package_key === undefined) older.push(component);
      else add(component.package_key, component);
      return false;
    });
    if (!set) throw new AppError('sbom_not_found', 'This component set was not evaluated yet.');
    revision = Math.min(revision, readAt(set, state).revision);
    for (const page of pagesOf(older, { items: versionsPerRead })) {
      const versions = await deps.versions.find([
        ...new Set(page.map((component) => component.version_id)),
      ]);
      const byId = new Map(versions.map((one) => [one._id, one]));
      for (const component of page) {
        const version = byId.get(component.version_id);
        if (version) add(findingPackageKey(component, version), component);
      }
    }
  }
  const packages: FindingPackages = Object.fromEntries(counts);
  return { revision, packages: await packJson(JSON.stringify(packages)) };
}
