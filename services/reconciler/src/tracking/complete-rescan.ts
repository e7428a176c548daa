import { rescanCompleted, type RequestedRescan } from '@bomtrail/messages';
import { bringUpToDate, type ReconcileSbomDeps } from './reconcile-sbom';
import type { UploadsFirst } from './yield-to-uploads';

/**
 * Applies an advisory change of some packages to many services, throttled while uploads are in progress. A
 * failing service does not delay the others.
 *
 * @throws the first failure, after completion of the others was published
 */
export async function completeRescan(
  deps: ReconcileSbomDeps & { uploadsFirst: UploadsFirst },
  change: RequestedRescan,
): Promise<void> {
  const { revision, packages, changed_at } = change;
  const ends = await deps.uploadsFirst.rescans(change.sboms, (some) =>
    Promise.allSettled(
      some.map((sbom) => {
        const scan = { ...sbom, lane: 'rescan' as const, revision, attempt: 0, changed_at };
        return bringUpToDate(deps, scan, { packages: packages ?? undefined });
      }),
    ),
  );
  const sbom_ids = change.sboms.flatMap(({ sbom_id }, index) => {
    const end = ends[index];
    return end?.status === 'fulfilled' && end.value === 'done' ? sbom_id : [];
  });
  if (sbom_ids.length > 0)
    await deps.publishResult(rescanCompleted, { sbom_ids, revision, packages });
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
