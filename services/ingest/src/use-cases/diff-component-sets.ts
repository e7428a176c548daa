import { AppError, type DiffCounts } from '@bomtrail/messages';
import type { DocumentStore } from '../store/document-store';
import type { Workers } from '../worker/worker-pool';

/**
 * Compares two component sets.
 *
 * @returns the counts, and `SBOMDiffResponse` as gzip'd JSON
 * @throws AppError `sbom_not_found` when one of the sets is missing
 */
export async function diffComponentSets(
  deps: { documents: DocumentStore; workers: Workers },
  query: { from: string; to: string },
): Promise<{ counts: DiffCounts; packed: Uint8Array }> {
  const { documents, workers } = deps;
  const counts = await Promise.all([
    documents.sizeOfSet(query.from),
    documents.sizeOfSet(query.to),
  ]);
  const [fromCount, toCount] = counts;
  if (fromCount === null || toCount === null) throw new AppError('sbom_not_found');
  const read = async () => {
    const [from, to] = await Promise.all([
      documents.readSet(query.from),
      documents.readSet(query.to),
    ]);
    if (!from || !to) throw new AppError('sbom_not_found');
    return { from: from.bytes, to: to.bytes };
  };
  return workers.diff({ count: fromCount + toCount, read });
}
