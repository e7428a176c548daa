import type { DocumentStore } from '../store/document-store';
import type { LicenceStore } from '../store/licence-store';
import type { Workers } from '../worker/worker-pool';

export interface IndexLicencesDeps {
  documents: Pick<DocumentStore, 'readSet'>;
  licences: LicenceStore;
  workers: Pick<Workers, 'indexLicences'>;
}

/** Sets of one run. */
const perRun = 200;

/**
 * Indexes the licences of sets that an earlier release stored, or that it indexed by older rules.
 * Returns their number.
 */
export async function indexLicencesOfSets(deps: IndexLicencesDeps): Promise<number> {
  const waiting = await deps.licences.listNotIndexed(perRun);
  for (const { digest, count } of waiting) {
    const licences = await deps.workers.indexLicences({
      count,
      read: async () => {
        const set = await deps.documents.readSet(digest);
        return set && { components: set.bytes };
      },
    });
    if (licences) await deps.licences.store(digest, licences);
  }
  return waiting.length;
}
