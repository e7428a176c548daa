import { AppError, type LicenseJudgement, type LicensePolicy } from '@bomtrail/messages';
import type { DocumentStore } from '../store/document-store';
import type { Workers } from '../worker/worker-pool';

export interface JudgeLicencesDeps {
  documents: Pick<DocumentStore, 'readSet' | 'sizeOfSet'>;
  workers: Pick<Workers, 'judgeLicences'>;
}

/** Components of a document that is not stored count as many: their number is not known. */
const unstoredCount = Number.POSITIVE_INFINITY;
/** Unless they are small when packed. */
const smallBytes = 256 * 1024;

/**
 * Judges the licences of a stored component set, or of the given components.
 *
 * @throws AppError `sbom_not_found` when the set is missing
 */
export async function judgeLicences(
  { documents, workers }: JudgeLicencesDeps,
  { digest, ...by }: { digest: string | null; policy: LicensePolicy; at: string },
  given: Uint8Array | null,
): Promise<LicenseJudgement> {
  if (digest === null) {
    if (!given) throw new AppError('malformed_body', 'The components are missing.');
    const count = given.length < smallBytes ? 0 : unstoredCount;
    return workers.judgeLicences({ count, read: async () => ({ ...by, components: given }) });
  }
  const count = await documents.sizeOfSet(digest);
  if (count === null) throw new AppError('sbom_not_found');
  return workers.judgeLicences({
    count,
    read: async () => {
      const set = await documents.readSet(digest);
      if (!set) throw new AppError('sbom_not_found');
      return { ...by, components: set.bytes };
    },
  });
}
