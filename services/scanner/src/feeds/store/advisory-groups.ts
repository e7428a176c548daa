import type { Db } from 'mongodb';
import { cveRecordsLabel } from '../domain/cve-records-part';
import type { AdvisoryDocument, AdvisoryNames } from './advisory-documents';
import type { AdvisoryVersions } from './advisory-versions';

/** Alias groups of advisories: which belong together, and which a revision changed. */
export function createAdvisoryGroups(db: Db, versions: Pick<AdvisoryVersions, 'supersede'>) {
  const advisories = db.collection<AdvisoryDocument>('advisories');

  return {
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
