import type { OsvRecord } from '@bomtrail/osv';
import type { Db, Filter } from 'mongodb';
import type { AdvisoryDocument, StoredAdvisory, SupersededDocument } from './advisory-documents';

const readFields = { record: 1, group: 1, affects: 1, changed_revision: 1 } as const;
type ReadFields = Pick<AdvisoryDocument, keyof typeof readFields>;

/** Superseded versions that are removed in one round trip. */
const perRemoval = 2000;
/** Advisories of one round trip; some have a hundred kilobytes, and one answer ends at 16 MiB. */
const perBatch = 500;

/** Takes an advisory, and the length of its text. */
export type VisitAdvisory = (advisory: StoredAdvisory, textLength: number) => void;

/**
 * The versions of advisories by the revision for which they count. A version that is replaced or
 * removed by the revision R + 1 is copied first, so that whoever reads at R still finds it, however
 * long the load takes and whether or not it ends.
 */
export function createAdvisoryVersions(db: Db) {
  const advisories = db.collection<AdvisoryDocument>('advisories');
  const superseded = db.collection<SupersededDocument>('superseded_advisories');

  /**
   * Hands over one advisory after the other: of some packages there are more than memory holds. What is
   * held is read before what was superseded: the copy is made before the change, so nothing falls between.
   */
  async function visitAt(
    revision: number,
    where: { current: Filter<AdvisoryDocument>; superseded: Filter<SupersededDocument> },
    visit: VisitAdvisory,
  ): Promise<void> {
    const seen = new Set<string>();
    const visitOnce = (id: string, document: ReadFields): void => {
      if (!seen.has(id)) visit(toStored(document), document.record.length);
      seen.add(id);
    };
    const current = advisories.find(
      { $and: [where.current, inForceAt(revision)] },
      { projection: readFields, batchSize: perBatch },
    );
    for await (const document of current) visitOnce(document._id, document);
    const older = superseded.find(
      {
        $and: [where.superseded, inForceAt(revision), { until_revision: { $gt: revision } }],
      },
      { projection: { ...readFields, advisory: 1 }, batchSize: perBatch },
    );
    for await (const document of older) visitOnce(document.advisory, document);
  }

  return {
    /** Hands over every advisory that names one of the packages, as of the revision, each once. */
    visitByPackages(packages: string[], revision: number, visit: VisitAdvisory): Promise<void> {
      const where = { affects: { $in: packages } };
      return visitAt(revision, { current: where, superseded: where }, visit);
    },

    /** Every advisory of the groups, as of the revision. */
    async findByGroups(groups: string[], revision: number): Promise<StoredAdvisory[]> {
      const where = { group: { $in: groups } };
      const found: StoredAdvisory[] = [];
      await visitAt(revision, { current: where, superseded: where }, (one) => found.push(one));
      return found;
    },

    /** Copies the versions in force of advisories that the revision is about to change or remove. */
    async supersede(ids: string[], revision: number): Promise<void> {
      if (ids.length === 0) return;
      await advisories
        .aggregate([
          { $match: { _id: { $in: ids }, ...inForceAt(revision - 1) } },
          {
            $set: {
              advisory: '$_id',
              until_revision: revision,
              _id: { $concat: ['$_id', '@', String(revision)] },
            },
          },
          { $unset: ['labels', 'file_digest'] },
          { $merge: { into: 'superseded_advisories', whenMatched: 'keepExisting' } },
        ])
        .toArray();
    },

    /** The names of what the revision has replaced or removed, as they were. */
    listSuperseded: (revision: number) =>
      superseded.find(
        { until_revision: revision },
        { projection: { _id: 0, advisory: 1, aliases: 1, group: 1 }, batchSize: 5000 },
      ),

    /**
     * Removes versions that nobody reads any more: the revision that ended them is settled, and a
     * reader that began before finds that out by the moved revision and begins again.
     */
    async removeSuperseded(appliedRevision: number): Promise<void> {
      for (;;) {
        const page = await superseded
          .find({ until_revision: { $lte: appliedRevision } }, { projection: { _id: 1 } })
          .limit(perRemoval)
          .toArray();
        if (page.length === 0) return;
        await superseded.deleteMany({ _id: { $in: page.map(({ _id }) => _id) } });
      }
    },
  };
}

function inForceAt(revision: number) {
  return { from_revision: { $lte: revision } };
}

function toStored(document: ReadFields): StoredAdvisory {
  const { group, affects, changed_revision } = document;
  return { group, affects, changed_revision, record: JSON.parse(document.record) as OsvRecord };
}
