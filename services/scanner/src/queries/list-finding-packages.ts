import { AppError, type FindingPackages } from '@bomtrail/messages';
import { packJson } from '@bomtrail/messaging';
import { readAt, type ReadSetDeps } from './set-at';

/**
 * Returns the packages that component sets have findings in, with their approximate number, so that
 * readers can split large requests.
 *
 * @returns `revision`: lowest revision of the sets; `packages`: packed `FindingPackages`
 * @throws AppError `sbom_not_found` when one of the sets was not evaluated yet
 */
export async function listFindingPackages(
  deps: ReadSetDeps,
  digests: readonly string[],
): Promise<{ revision: number; packages: Uint8Array }> {
  const state = await deps.feed.read();
  const counts = new Map<string, number>();
  let revision = Number.MAX_SAFE_INTEGER;
  for (const digest of new Set(digests)) {
    const set = await deps.sets.readSome(digest, ({ package_key, matches }) => {
      counts.set(package_key, (counts.get(package_key) ?? 0) + matches);
      return false;
    });
    if (!set) throw new AppError('sbom_not_found', 'This component set was not evaluated yet.');
    revision = Math.min(revision, readAt(set, state).revision);
  }
  const packages: FindingPackages = Object.fromEntries(counts);
  return { revision, packages: await packJson(JSON.stringify(packages)) };
}
