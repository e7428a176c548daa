import { MATCHING_RULES_VERSION } from '@bomtrail/osv';
import type { Db } from 'mongodb';
import type { AdvisoryDocument, AdvisoryWrite } from './advisory-documents';
import { createAdvisoryGroups } from './advisory-groups';
import { createAdvisoryVersions } from './advisory-versions';

export type AdvisoryStore = ReturnType<typeof createAdvisoryStore>;

const headerFields = {
  modified: 1,
  fingerprint: 1,
  labels: 1,
  affects: 1,
  group: 1,
  file_digest: 1,
  rules: 1,
} as const;
/** The fields of a stored advisory that decide whether a feed record replaces it. */
export type AdvisoryHeader = Pick<AdvisoryDocument, '_id' | keyof typeof headerFields>;

/** The advisories of all feeds, one document per advisory, with their versions and alias groups. */
export function createAdvisoryStore(db: Db) {
  const advisories = db.collection<AdvisoryDocument>('advisories');
  const versions = createAdvisoryVersions(db);

  return {
    visitByPackages: versions.visitByPackages,
    findByGroups: versions.findByGroups,
    listSuperseded: versions.listSuperseded,
    removeSuperseded: versions.removeSuperseded,
    ...createAdvisoryGroups(db, versions),

    async findHeaders(ids: string[]): Promise<Map<string, AdvisoryHeader>> {
      const found = advisories.find({ _id: { $in: ids } }, { projection: headerFields });
      return new Map((await found.toArray()).map((document) => [document._id, document]));
    },

    /** Writes advisories that take effect with the revision. */
    async write(writes: AdvisoryWrite[], revision: number): Promise<void> {
      if (writes.length === 0) return;
      const replaced = writes.filter(({ isStored }) => isStored);
      await versions.supersede(
        replaced.map(({ record }) => record.id),
        revision,
      );
      await advisories.bulkWrite(
        writes.map((write) => {
          const { _id, ...replacement } = documentOf(write, revision);
          return write.isStored
            ? { replaceOne: { filter: { _id }, replacement } }
            : { insertOne: { document: { _id, ...replacement } } };
        }),
        { ordered: false },
      );
    },

    async addLabel(ids: string[], label: string): Promise<void> {
      if (ids.length === 0) return;
      await advisories.updateMany({ _id: { $in: ids } }, { $addToSet: { labels: label } });
    },

    /**
     * Records that the current rules derive the same keys, or that another file has the same
     * record.
     */
    async confirm(confirmed: { id: string; fileDigest: string }[]): Promise<void> {
      if (confirmed.length === 0) return;
      await advisories.bulkWrite(
        confirmed.map(({ id, fileDigest }) => ({
          updateOne: {
            filter: { _id: id },
            update: { $set: { file_digest: fileDigest, rules: MATCHING_RULES_VERSION } },
          },
        })),
        { ordered: false },
      );
    },

    countByLabel: (label: string) => advisories.countDocuments({ labels: label }),

    count: () => advisories.estimatedDocumentCount(),

    /** The advisories that carry a label. */
    listByLabel: (label: string) =>
      advisories.find(
        { labels: label },
        { projection: { labels: 1, affects: 1, group: 1, modified: 1 }, batchSize: 5000 },
      ),

    async removeLabel(ids: string[], label: string): Promise<void> {
      await advisories.updateMany({ _id: { $in: ids } }, { $pull: { labels: label } });
    },

    /** Removes, as of the revision, the advisories that carry only this label. */
    async removeOnlyLabelled(ids: string[], label: string, revision: number): Promise<void> {
      await versions.supersede(ids, revision);
      await advisories.deleteMany({ _id: { $in: ids }, labels: [label] });
    },
  };
}

function documentOf(write: AdvisoryWrite, revision: number): AdvisoryDocument {
  const { record, text, fingerprint, fileDigest, labels, group, affects } = write;
  return {
    _id: record.id,
    fingerprint,
    labels,
    group,
    affects,
    modified: record.modified,
    aliases: record.aliases,
    withdrawn: record.withdrawn !== null,
    from_revision: revision,
    changed_revision: revision,
    file_digest: fileDigest,
    rules: MATCHING_RULES_VERSION,
    record: text,
  };
}
