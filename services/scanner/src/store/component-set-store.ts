import { createBatcher, knownAlready, type IndexPlan } from '@bomtrail/service-kit';
import { type Db } from 'mongodb';
import type { Hit } from '../domain/component';
import type { SetCounts, SetSummary } from '../domain/component-set';
import { pagesOf } from '../domain/pages';

interface SetDocument {
  /** Digest. */
  _id: string;
  /** The revision for which the summary is right; grows only. */
  revision: number;
  /** Absent until the set was evaluated. */
  counts?: SetCounts;
  /** The first page of the hits. */
  hits?: Hit[];
  /** Pages of hits in `component_set_hits`. */
  further_pages?: number;
  /** The last revision that changed what is found in the set after it was evaluated; 0 = none. */
  changed_revision?: number;
  /** The last change of which the others were told. */
  announced_revision?: number;
  /** A change of which the others are to be told: there is something to sweep. */
  unannounced?: true;
}

interface HitPageDocument {
  /** `<digest>:<revision>:<page>`. */
  _id: string;
  digest: string;
  hits: Hit[];
}

interface MembersDocument {
  /** `<digest>:<page>`. */
  _id: string;
  digest: string;
  /** Ids of package versions. */
  versions: string[];
}

/** A set that was evaluated. */
export interface EvaluatedSet {
  digest: string;
  revision: number;
  counts: SetCounts;
  hits: Hit[];
}

export const componentSetIndexes: IndexPlan = {
  component_sets: [
    {
      key: { changed_revision: 1 },
      partialFilterExpression: { unannounced: true },
      name: 'unannounced',
    },
  ],
  component_set_members: [{ key: { versions: 1 } }, { key: { digest: 1 } }],
  component_set_hits: [{ key: { digest: 1 } }],
};

/** Ids in one document: 5,000 are about 140 KB. */
const membersPerPage = 5000;
/** A page of hits ends at 4 MiB of text, far below MongoDB's 16 MiB; most sets need one. */
const hitTextPerPage = 4 * 1024 * 1024;
const hitsPerPage = 5000;
/** Writes of a burst of uploads that share a round trip. */
const writesPerBatch = 64;

export type ComponentSetStore = ReturnType<typeof createComponentSetStore>;

/** Component sets: which package versions they hold, and what is found in them. */
export function createComponentSetStore(db: Db) {
  const sets = db.collection<SetDocument>('component_sets');
  const members = db.collection<MembersDocument>('component_set_members');
  const hitPages = db.collection<HitPageDocument>('component_set_hits');

  const insertMembers = createBatcher<MembersDocument, void>(async (documents) => {
    await knownAlready(members.insertMany(documents, { ordered: false }));
    return documents.map(() => undefined);
  }, writesPerBatch);

  const saveDocument = createBatcher<SetDocument, boolean>(async (documents) => {
    const outdated = await knownAlready(
      sets.bulkWrite(
        documents.map(({ _id, ...fields }) => ({
          updateOne: {
            filter: { _id, revision: { $lte: fields.revision } },
            update: { $set: fields },
            upsert: true,
          },
        })),
        { ordered: false },
      ),
    );
    return documents.map((_document, index) => !outdated.has(index));
  }, writesPerBatch);

  const readDocument = createBatcher<string, SetDocument | undefined>(async (digests) => {
    const found = await sets.find({ _id: { $in: digests } }).toArray();
    const byDigest = new Map(found.map((document) => [document._id, document]));
    return digests.map((digest) => byDigest.get(digest));
  }, writesPerBatch);

  async function saveHitPages(digest: string, revision: number, pages: Hit[][]): Promise<void> {
    for (const [page, hits] of pages.entries()) {
      const _id = `${digest}:${revision}:${page}`;
      await hitPages.replaceOne({ _id }, { digest, hits }, { upsert: true });
    }
  }

  /** Null when another summary has taken the place of this one in between. */
  async function readHitPages({
    _id,
    revision,
    further_pages,
  }: SetDocument): Promise<Hit[] | null> {
    const hits: Hit[] = [];
    for (let page = 0; page < (further_pages ?? 0); page += 1) {
      const found = await hitPages.findOne({ _id: `${_id}:${revision}:${page}` });
      if (!found) return null;
      hits.push(...found.hits);
    }
    return hits;
  }

  return {
    /** Notes which package versions a set holds; from now on a change of one of them reaches the set. */
    async addMembers(digest: string, versionIds: Iterable<string>): Promise<void> {
      const writes: Promise<void>[] = [];
      const pages = pagesOf(versionIds, { items: membersPerPage });
      for (const [page, versions] of pages.entries())
        writes.push(insertMembers({ _id: `${digest}:${page}`, digest, versions }));
      await Promise.all(writes);
    },

    async isEvaluated(digest: string): Promise<boolean> {
      return (await readDocument(digest))?.counts !== undefined;
    },

    /** The counts of a set without its hits, null when it was not evaluated. */
    async readCounts(digest: string): Promise<SetCounts | null> {
      const found = await sets.findOne({ _id: digest }, { projection: { counts: 1 } });
      return found?.counts ?? null;
    },

    /** A set with its hits, null when it was not evaluated. */
    async read(digest: string): Promise<EvaluatedSet | null> {
      for (;;) {
        const found = await readDocument(digest);
        if (!found?.counts || !found.hits) return null;
        const { revision, counts, hits } = found;
        if (!found.further_pages) return { digest, revision, counts, hits };
        const further = await readHitPages(found);
        if (further) return { digest, revision, counts, hits: [...hits, ...further] };
      }
    },

    /**
     * Saves what was found in a set at a revision; false when something later is known about the set.
     *
     * @param change true when the set was evaluated before and the others are to be told
     */
    async save(
      digest: string,
      summary: SetSummary,
      at: { revision: number; change: boolean },
    ): Promise<boolean> {
      const { revision } = at;
      const pages = pagesOf(summary.hits, {
        items: hitsPerPage,
        size: hitTextPerPage,
        sizeOf: (hit) => hit.purl.length + hit.package_name.length + hit.package_version.length,
      });
      const [hits = [], ...further] = pages;
      await saveHitPages(digest, revision, further);
      const saved = await saveDocument({
        _id: digest,
        revision,
        counts: summary.counts,
        hits,
        further_pages: further.length,
        ...(at.change ? { changed_revision: revision, unannounced: true } : {}),
      });
      if (further.length > 0 || at.change) {
        const current = `${digest}:${(await readDocument(digest))?.revision}:`;
        await hitPages.deleteMany({ digest, _id: { $not: { $regex: `^${current}` } } });
      }
      return saved;
    },

    /** Notes that the findings of sets changed though their hits and counts did not. */
    async markChanged(digests: string[], revision: number): Promise<void> {
      if (digests.length === 0) return;
      await sets.updateMany(
        { _id: { $in: digests }, revision: { $lt: revision } },
        { $set: { changed_revision: revision, unannounced: true } },
      );
    },

    /** Distinct sets that hold one of the package versions. */
    async listHolders(versionIds: string[]): Promise<string[]> {
      const digests = new Set<string>();
      const found = members.find(
        { versions: { $in: versionIds } },
        { projection: { _id: 0, digest: 1 }, batchSize: 5000 },
      );
      for await (const { digest } of found) digests.add(digest);
      return [...digests];
    },

    /**
     * Takes note that a change of the revision reached the sets. A scan of one that is not stored yet
     * is begun again at this revision. Gives those that were evaluated at an older one.
     */
    async holdAt(digests: string[], revision: number): Promise<string[]> {
      await sets.bulkWrite(
        digests.map((digest) => ({
          updateOne: {
            filter: { _id: digest },
            update: { $setOnInsert: { revision } },
            upsert: true,
          },
        })),
        { ordered: false },
      );
      const older = await sets
        .find(
          { _id: { $in: digests }, revision: { $lt: revision }, counts: { $exists: true } },
          { projection: { _id: 1 } },
        )
        .toArray();
      return older.map(({ _id }) => _id);
    },

    /** Forgets a set whose components are stored nowhere any more. */
    async remove(digest: string): Promise<void> {
      await sets.deleteOne({ _id: digest });
      await hitPages.deleteMany({ digest });
      await members.deleteMany({ digest });
    },

    /** Sets whose change, up to the revision, was not announced yet, some at a time. */
    async *listUnannounced(
      revision: number,
      perPage: number,
    ): AsyncGenerator<{ digest: string; revision: number }[]> {
      // Read to the end of a batch before the next one is asked for, so a small batch keeps the cursor alive.
      const found = sets.find(
        { unannounced: true, changed_revision: { $lte: revision } },
        { projection: { changed_revision: 1 }, batchSize: perPage },
      );
      let page: { digest: string; revision: number }[] = [];
      for await (const { _id, changed_revision = 0 } of found) {
        page.push({ digest: _id, revision: changed_revision });
        if (page.length < perPage) continue;
        yield page;
        page = [];
      }
      if (page.length > 0) yield page;
    },

    async markAnnounced(digest: string, revision: number): Promise<void> {
      await sets.updateOne(
        { _id: digest, changed_revision: revision },
        { $set: { announced_revision: revision }, $unset: { unannounced: true } },
      );
    },
  };
}
