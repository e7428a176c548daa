import { AppError, type DiffCounts } from '@bomtrail/messages';
import type { DocumentStore } from '../store/document-store';
import type { Workers } from '../worker/worker-pool';

/**
 * What one component set adds, removes and changes against another.
 *
 * @returns the counts, and the contract's SBOMDiffResponse as gzip'd JSON
 * @throws AppError `sbom_not_found` when one of the sets is not here
 */
export async function diffComponentSets(
  deps: { documents: DocumentStore; workers: Workers },
  asked: { from: string; to: string },
): Promise<{ counts: DiffCounts; packed: Uint8Array }> {
  const [from, to] = await Promise.all([
    deps.documents.readSet(asked.from),
    deps.documents.readSet(asked.to),
  ]);
  if (!from || !to) throw new AppError('sbom_not_found');
  const count = from.count + to.count;
  return deps.workers.diff({ from: from.bytes, to: to.bytes, count });
}
