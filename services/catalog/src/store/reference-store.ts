import type { ContentNames } from '@bomtrail/messages';
import type { IndexPlan } from '@bomtrail/mongo';
import type { Db } from 'mongodb';
import type { SbomDocument } from './documents';

export const referenceIndexes: IndexPlan = {
  sboms: [
    { key: { sha256: 1 } },
    { key: { removed_at: 1 }, partialFilterExpression: { removed_at: { $exists: true } } },
  ],
};

/** A record to be removed, with its references. */
export type LeavingRecord = Pick<SbomDocument, '_id' | 'sha256' | 'digest'>;

const references = { _id: 1, sha256: 1, digest: 1 } as const;

export type ReferenceStore = ReturnType<typeof createReferenceStore>;

/**
 * SBOM records as references to content of ingest, which is notified before a record is removed.
 */
export function createReferenceStore(db: Db) {
  const sboms = db.collection<SbomDocument>('sboms');

  return {
    /** Records whose delete is finished. */
    finished: (limit: number): Promise<LeavingRecord[]> =>
      sboms
        .find({ removed_at: { $exists: true } }, { projection: references })
        .limit(limit)
        .toArray(),

    /** Records of a deleted project or service, including tombstones. */
    recordsOf: (
      scope: { project_id: string } | { service_id: string },
      limit: number,
    ): Promise<LeavingRecord[]> =>
      sboms.find(scope, { projection: references }).limit(limit).toArray(),

    async remove(records: readonly LeavingRecord[]): Promise<void> {
      await sboms.deleteMany({ _id: { $in: records.map(({ _id }) => _id) } });
    },

    /** The part of this content that records refer to, including tombstones. */
    async referredTo({ documents, sets }: ContentNames): Promise<ContentNames> {
      const [shas, digests] = await Promise.all([
        sboms.distinct('sha256', { sha256: { $in: documents } }),
        sboms.distinct('digest', { digest: { $in: sets } }),
      ]);
      const known = (values: readonly (string | undefined)[]) => values.flatMap((one) => one ?? []);
      return { documents: known(shas), sets: known(digests) };
    },
  };
}
