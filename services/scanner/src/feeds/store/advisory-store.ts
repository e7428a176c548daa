import { MATCHING_RULES_VERSION } from '@bomtrail/osv';
import type { Db } from 'mongodb';
import type { AdvisoryDocument, AdvisoryNames, AdvisoryWrite } from './advisory-documents';
import { cveRecordsLabel } from '../domain/cve-records-part';
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

/** The advisories of all feeds, one document per advisory. */
export function createAdvisoryStore(db: Db) {
  const advisories = db.collection<AdvisoryDocument>('advisories');
  const versions = createAdvisoryVersions(db);

  return {
    visitByPackages: versions.visitByPackages,
    findByGroups: versions.findByGroups,
    listSuperseded: versions.listSuperseded,
    removeSuperseded: versions.removeSuperseded,

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

    /** The advisories of the alias groups that contain one of the ids, without CVE records. */
    async findGroupOf(ids: string[]) {
      const isAdvisory = { labels: { $ne: cveRecordsLabel } };
      const named = { $or: [{ _id: { $in: ids } }, { aliases: { $in: ids } }] };
      const found = await advisories
        .find({ ...named, ...isAdvisory }, { projection: { group: 1 } })
        .toArray();
      const groups = [...new Set(found.map(({ group }) => group))];
      const members = advisories.find(
        { group: { $in: groups }, ...isAdvisory },
        { projection: { aliases: 1, withdrawn: 1 } },
      );
      return (await members.toArray()).map(({ _id: id, ...rest }) => ({ id, ...rest }));
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

    /** Names of all advisories with aliases. */
    listLinked: () =>
      advisories.find(
        { aliases: { $gt: '' } },
        { projection: { aliases: 1, group: 1 }, batchSize: 5000 },
      ),

    /** The group of each advisory. */
    listGroups: () => advisories.find({}, { projection: { group: 1 }, batchSize: 5000 }),

    /** The advisories with one of the ids as id or alias. */
    async findLinkedTo(ids: string[]): Promise<AdvisoryNames[]> {
      const found = advisories.find(
        { $or: [{ _id: { $in: ids } }, { aliases: { $in: ids } }] },
        { projection: { aliases: 1, group: 1 } },
      );
      return (await found.toArray()).map(({ _id, aliases, group }) => ({
        id: _id,
        aliases,
        group,
      }));
    },

    /** Moves advisories to other groups as of the revision. */
    async setGroups(groups: { id: string; group: string }[], revision: number) {
      await versions.supersede(
        groups.map(({ id }) => id),
        revision,
      );
      await advisories.bulkWrite(
        groups.map(({ id, group }) => ({
          updateOne: {
            filter: { _id: id },
            update: { $set: { group, from_revision: revision, changed_revision: revision } },
          },
        })),
        { ordered: false },
      );
    },

    /** Whether an unfinished load changed advisories after the revision. */
    async hasChangedAfter(revision: number): Promise<boolean> {
      const where = { changed_revision: { $gt: revision } };
      return (await advisories.findOne(where, { projection: { _id: 1 } })) !== null;
    },

    /** Names of the advisories that the revision changed, directly or by their group. */
    listChangedAt: (revision: number) =>
      advisories.find(
        { changed_revision: revision },
        { projection: { aliases: 1, group: 1 }, batchSize: 5000 },
      ),

    /** Keys of the packages affected by advisories of the groups. */
    async packagesOfGroups(groups: string[]): Promise<string[]> {
      const found = await advisories
        .find({ group: { $in: groups } }, { projection: { affects: 1 } })
        .toArray();
      return [...new Set(found.flatMap(({ affects }) => affects))];
    },

    async markGroupsChanged(groups: string[], revision: number): Promise<void> {
      await advisories.updateMany(
        { group: { $in: groups }, changed_revision: { $lt: revision } },
        { $set: { changed_revision: revision } },
      );
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
