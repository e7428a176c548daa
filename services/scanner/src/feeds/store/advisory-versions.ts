import type { OsvRecord } from '@bomtrail/osv';
import type { Db, Filter } from 'mongodb';
import type { AdvisoryDocument, StoredAdvisory, SupersededDocument } from './advisory-documents';

const readFields = { record: 1, group: 1, affects: 1, changed_revision: 1 } as const;
type ReadFields = Pick<AdvisoryDocument, keyof typeof readFields>;

/** Superseded versions removed in one round trip. */
const perRemoval = 2000;
/** Advisories of one batch; some have 100 KB, and a batch is limited to 16 MiB. */
const perBatch = 500;

/** Receives an advisory and the length of its text. */
export type VisitAdvisory = (advisory: StoredAdvisory, textLength: number) => void;

export type AdvisoryVersions = ReturnType<typeof createAdvisoryVersions>;

/**
 * Versions of advisories by revision. The version that revision R + 1 replaces or removes is copied
 * first, so that readers at R still find it during and after an unfinished load.
 */
export function createAdvisoryVersions(db: Db) {
  const advisories = db.collection<AdvisoryDocument>('advisories');
  const superseded = db.collection<SupersededDocument>('superseded_advisories');

  /**
   * Visits one advisory at a time, since those of some packages do not fit in memory. Current
   * versions are read before superseded ones: versions are copied before they change, so none is
   * missed.
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
    /** Visits each advisory of the packages once, as of the revision. */
    visitByPackages(packages: string[], revision: number, visit: VisitAdvisory): Promise<void> {
      const where = { affects: { $in: packages } };
      return visitAt(revision, { current: where, superseded: where }, visit);
    },

    /** Returns the advisories of the groups, as of the revision. */
    async findByGroups(groups: string[], revision: number): Promise<StoredAdvisory[]> {
      const where = { group: { $in: groups } };
      const found: StoredAdvisory[] = [];
      await visitAt(revision, { current: where, superseded: where }, (one) => found.push(one));
      return found;
    },

    /** Copies the current versions of advisories that the revision will change or remove. */
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

    /** Names of the versions that the revision replaced or removed. */
    listSuperseded: (revision: number) =>
      superseded.find(
        { until_revision: revision },
        { projection: { _id: 0, advisory: 1, aliases: 1, group: 1 }, batchSize: 5000 },
      ),

    /**
     * Removes versions that ended with an applied revision. A reader that still needs one notices
     * the new revision and starts again.
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
