import { expireSboms, markContent } from '@bomtrail/messages';
import type { Request } from '@bomtrail/messaging';
import type { SbomDocument } from '../store/documents';
import type { SbomStore } from '../store/sbom-store';
import { contentOf } from './views';

export interface ExpireSbomsDeps {
  sboms: SbomStore;
  request: Request;
}

/**
 * Expires SBOMs of one service: their documents, components and findings are dropped, their place in
 * the history stays (docs/retention.md). The reconciler is told before the references are gone, so
 * that it never asks for findings that are not there. Idempotent.
 *
 * @param sboms at most `maxRemovedSboms`; those with a pending re-scan are left out (K6)
 * @returns the number of SBOMs that this call expired
 * @throws AppError `service_unavailable` if the reconciler or ingest does not respond; what ingest
 * was not told it finds by itself
 */
export async function expireSbomsOf(
  { sboms, request }: ExpireSbomsDeps,
  service: { _id: string },
  candidates: readonly SbomDocument[],
): Promise<number> {
  const expiring = candidates.filter(({ rescan, expired }) => !rescan && !expired);
  if (expiring.length === 0) return 0;
  const sbom_ids = expiring.map(({ _id }) => _id);
  await request(expireSboms, { service_id: service._id, sbom_ids });
  const expired = await sboms.expire(sbom_ids, new Date());
  const content = expiring.map(contentOf);
  await request(markContent, {
    documents: [...new Set(content.map(({ sha256 }) => sha256))],
    sets: [...new Set(content.map(({ digest }) => digest))],
  });
  return expired;
}
