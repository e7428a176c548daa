import { affectedKeys, MATCHED_ECOSYSTEMS, type OsvRecord } from '@bomtrail/osv';
import type { IndexPlan } from '@bomtrail/service-kit';
import type { Db } from 'mongodb';
import type { GroupedAdvisory } from '../domain/assess-version';
import type { HeldRecord } from '../domain/merge-record';

/** An advisory as it is stored. */
interface AdvisoryDocument extends HeldRecord {
  /** The advisory's id. */
  _id: string;
  labels: string[];
  /** Keys of the packages that it names, of the ecosystems that are matched. */
  affects: string[];
  aliases: string[];
  /** Id of its alias group. */
  group: string;
  withdrawn: boolean;
  /** The revision with which it, or anything else in its group, changed last. */
  changed_revision: number;
  /** The record as JSON text: it is only ever read as a whole. */
  record: string;
}

/** An advisory of a feed on its way into the store. */
export interface AdvisoryWrite {
  record: OsvRecord;
  text: string;
  fingerprint: string;
  labels: string[];
  group: string;
}

/** An advisory as the rules read it, with what the settling of changes needs to know. */
export interface StoredAdvisory extends GroupedAdvisory {
  affects: string[];
  changed_revision: number;
}

export const advisoryIndexes: IndexPlan = {
  advisories: [
    { key: { affects: 1 } },
    { key: { group: 1 } },
    { key: { labels: 1 } },
    { key: { changed_revision: 1 } },
  ],
};

const matched: ReadonlySet<string> = new Set(MATCHED_ECOSYSTEMS);

/** The packages of a record that can ever be matched. */
export function matchedKeys(record: OsvRecord): string[] {
  return affectedKeys(record).filter((key) => matched.has(key.slice(0, key.indexOf('|'))));
}

const readFields = { record: 1, group: 1, affects: 1, changed_revision: 1 } as const;

export type AdvisoryStore = ReturnType<typeof createAdvisoryStore>;

/** The advisories of all feeds, one document each, whatever number of feeds hold it. */
export function createAdvisoryStore(db: Db) {
  const advisories = db.collection<AdvisoryDocument>('advisories');

  function toStored(document: Pick<AdvisoryDocument, keyof typeof readFields>): StoredAdvisory {
    const { group, affects, changed_revision } = document;
    return { group, affects, changed_revision, record: JSON.parse(document.record) as OsvRecord };
  }

  return {
    /** Every advisory that names one of the packages. */
    async findByPackages(packages: string[]): Promise<StoredAdvisory[]> {
      const found = advisories.find({ affects: { $in: packages } }, { projection: readFields });
      return (await found.toArray()).map(toStored);
    },

    /** Every advisory of the groups, and those of the ids whatever their group. */
    async findByGroups(groups: string[], ids: string[]): Promise<StoredAdvisory[]> {
      const found = await advisories
        .find(
          { $or: [{ group: { $in: groups } }, { _id: { $in: ids } }] },
          { projection: readFields },
        )
        .toArray();
      return found.map(toStored);
    },

    /** What is held about the ids, for the decision whether a feed's record replaces it. */
    async findHeld(ids: string[]) {
      const projection = { modified: 1, fingerprint: 1, labels: 1, affects: 1, group: 1 } as const;
      const found = await advisories.find({ _id: { $in: ids } }, { projection }).toArray();
      return new Map(found.map((document) => [document._id, document]));
    },

    async write(writes: AdvisoryWrite[], changedRevision: number): Promise<void> {
      if (writes.length === 0) return;
      await advisories.bulkWrite(
        writes.map(({ record, text, ...rest }) => ({
          replaceOne: {
            filter: { _id: record.id },
            replacement: {
              ...rest,
              modified: record.modified,
              affects: matchedKeys(record),
              aliases: record.aliases,
              withdrawn: record.withdrawn !== null,
              changed_revision: changedRevision,
              record: text,
            },
            upsert: true,
          },
        })),
        { ordered: false },
      );
    },

    async addLabel(ids: string[], label: string): Promise<void> {
      if (ids.length === 0) return;
      await advisories.updateMany({ _id: { $in: ids } }, { $addToSet: { labels: label } });
    },

    countByLabel: (label: string) => advisories.countDocuments({ labels: label }),

    count: () => advisories.estimatedDocumentCount(),

    /** Ids and groups of what a part of a feed holds. */
    listByLabel: (label: string) =>
      advisories.find(
        { labels: label },
        { projection: { labels: 1, affects: 1, group: 1 }, batchSize: 5000 },
      ),

    async removeLabel(ids: string[], label: string): Promise<void> {
      await advisories.updateMany({ _id: { $in: ids } }, { $pull: { labels: label } });
    },

    /** Removes those that no part of a feed holds any more but this one. */
    async removeHeldOnlyBy(ids: string[], label: string): Promise<void> {
      await advisories.deleteMany({ _id: { $in: ids }, labels: [label] });
    },

    /** Every advisory's names, to draw the alias groups. */
    listNames: () => advisories.find({}, { projection: { aliases: 1, group: 1 }, batchSize: 5000 }),

    async setGroups(groups: { id: string; group: string }[], changedRevision: number) {
      await advisories.bulkWrite(
        groups.map(({ id, group }) => ({
          updateOne: {
            filter: { _id: id },
            update: { $set: { group, changed_revision: changedRevision } },
          },
        })),
        { ordered: false },
      );
    },

    /** Was a load begun and not ended that changed advisories? */
    async hasChangedAfter(revision: number): Promise<boolean> {
      const where = { changed_revision: { $gt: revision } };
      return (await advisories.findOne(where, { projection: { _id: 1 } })) !== null;
    },

    /** Groups of which a member changed with the revision. */
    groupsChangedAt: async (revision: number): Promise<string[]> => {
      const groups = new Set<string>();
      const changed = advisories.find(
        { changed_revision: revision },
        { projection: { group: 1 }, batchSize: 5000 },
      );
      for await (const { group } of changed) groups.add(group);
      return [...groups];
    },

    /** The packages that the groups name. */
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
