import { AppError } from '@bomtrail/messages';
import { MATCHING_RULES_VERSION } from '@bomtrail/osv';
import { createBatcher, isAlreadyStored } from '@bomtrail/service-kit';
import { type Db } from 'mongodb';
import type { MatchedComponent } from '../domain/component';
import type { SetCounts, SetSummary } from '../domain/component-set';
import { writesPerBatch, type SetDocument } from './component-set-documents';
import { newGeneration, type FoundDocument } from './generations';
import { createMatchPages, matchPagesOf } from './match-pages';
import { createSetMembers } from './set-members';

/** A set that was evaluated. */
export interface EvaluatedSet {
  digest: string;
  revision: number;
  counts: SetCounts;
  matched: MatchedComponent[];
  /** Whether it was evaluated by the rules of today. */
  isCurrent: boolean;
}

/** How far a set is known. */
export interface SetEvaluation {
  /** Whether it was evaluated, and by the rules of today (`current`) or by older ones. */
  is: 'none' | 'older' | 'current';
  /** The revision at which that was done; 0 for `none`. */
  revision: number;
}

/** What a set that is to be forgotten consisted of when that was begun. */
export interface SetDeletion {
  digest: string;
  mark: string;
  members: FoundDocument[];
  matchPages: FoundDocument[];
}

/** A change of what is found in a set, of which the others are to be told. */
export interface SetChange {
  digest: string;
  revision: number;
  /** When it came into force; null where that is not known. */
  changed_at: Date | null;
  /** Package keys of the findings that it concerns; null: any may be concerned. */
  packages: readonly string[] | null;
}

/** A set that a change reached and that was evaluated at an older revision. */
export interface OlderSet {
  digest: string;
  /** Whether that was by the rules of today. */
  isCurrent: boolean;
  /** Whether there is an earlier change of which the others were not told yet. */
  isUnpublished: boolean;
}

/** Summaries that took the place of the one before it was read whole, after which the reader gives up. */
const maxRounds = 5;

const olderRules = Array.from({ length: MATCHING_RULES_VERSION }, (_one, version) => version);

export type ComponentSetStore = ReturnType<typeof createComponentSetStore>;

/** Component sets: which package versions they hold, and what is found in them. */
export function createComponentSetStore(db: Db) {
  const sets = db.collection<SetDocument>('component_sets');
  const members = createSetMembers(db);
  const matchPages = createMatchPages(db);

  const saveDocument = createBatcher<SetDocument, boolean>(async (documents) => {
    const outdated = await isAlreadyStored(
      sets.bulkWrite(
        documents.map(({ _id, ...fields }) => ({
          updateOne: {
            filter: { _id, revision: { $lte: fields.revision } },
            update: { $set: fields, $unset: { released: true } },
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

  const readEvaluation = createBatcher<string, SetEvaluation>(async (digests) => {
    const found = await sets
      .find(
        { _id: { $in: digests }, counts: { $exists: true }, released: { $exists: false } },
        { projection: { revision: 1, rules: 1 } },
      )
      .toArray();
    const byDigest = new Map(found.map((document) => [document._id, evaluationOf(document)]));
    return digests.map((digest) => byDigest.get(digest) ?? { is: 'none', revision: 0 });
  }, writesPerBatch);

  async function readWith(
    digest: string,
    choose: (matched: MatchedComponent[]) => MatchedComponent[],
  ): Promise<EvaluatedSet | null> {
    for (let round = 0; round < maxRounds; round += 1) {
      const found = await readDocument(digest);
      if (!found?.counts || !found.matched) return null;
      const pages = [choose(found.matched)];
      if (!(await matchPages.visit(found, (matched) => pages.push(choose(matched))))) continue;
      return evaluatedSet(found, found.counts, pages.flat());
    }
    throw new AppError('service_unavailable', 'The findings keep changing: repeat the request.');
  }

  return {
    addMembers: members.add,
    listSetsContaining: members.listSetsContaining,
    listContaining: members.listContaining,

    removeMembersOfOtherRules: members.removeOtherRules,

    readEvaluation: readEvaluation,

    /** The counts of a set without its hits, null when it was not evaluated. */
    async readCounts(digest: string): Promise<SetCounts | null> {
      const found = await sets.findOne({ _id: digest }, { projection: { counts: 1 } });
      return found?.counts ?? null;
    },

    /**
     * A set with its hits, null when it was not evaluated.
     *
     * @throws AppError `service_unavailable` when its hits keep changing while they are read
     */
    read: (digest: string): Promise<EvaluatedSet | null> => readWith(digest, (matched) => matched),

    /** A set with those of its hits that are wanted, of which not all need to be in memory at once. */
    readSome: (
      digest: string,
      isWanted: (component: MatchedComponent) => boolean,
    ): Promise<EvaluatedSet | null> => readWith(digest, (matched) => matched.filter(isWanted)),

    /** A set that has one page of hits, with them; `many`: it has more. Null when it was not evaluated. */
    async readSmall(digest: string): Promise<EvaluatedSet | 'many' | null> {
      const found = await readDocument(digest);
      if (found?.further_pages) return 'many';
      return found?.counts && found.matched
        ? evaluatedSet(found, found.counts, found.matched)
        : null;
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
      const { matched, further } = matchPagesOf(summary.matched);
      await matchPages.save(digest, revision, further);
      const saved = await saveDocument({
        _id: digest,
        revision,
        counts: summary.counts,
        matched,
        further_pages: further.length,
        rules: MATCHING_RULES_VERSION,
        ...(at.change
          ? { changed_revision: revision, unpublished: true, changed_packages: null }
          : {}),
      });
      if (further.length > 0 || at.change) {
        const current = await readDocument(digest);
        if (current) await matchPages.removeOlder(digest, current.revision);
      }
      return saved;
    },

    /**
     * Notes that the findings of sets changed with the revision that came into force at `changedAt`.
     * Where hits or counts changed too, the new summary is saved afterwards; then `recordChangedPackages`
     * may say which packages it concerns.
     */
    async markChanged(digests: string[], revision: number, changedAt: Date | null): Promise<void> {
      if (digests.length === 0) return;
      const earliest = {
        $cond: ['$unpublished', { $min: ['$changed_at', changedAt] }, changedAt],
      };
      const change = { changed_revision: revision, unpublished: true, changed_at: earliest };
      await sets.updateMany({ _id: { $in: digests }, revision: { $lt: revision } }, [
        { $set: { ...change, changed_packages: null } },
      ]);
    },

    /** The packages of the findings that the last change concerns, of sets whose change is a single one. */
    async recordChangedPackages(
      changes: readonly { digest: string; packages: string[] }[],
      revision: number,
    ): Promise<void> {
      if (changes.length === 0) return;
      await sets.bulkWrite(
        changes.map(({ digest, packages }) => ({
          updateOne: {
            filter: { _id: digest, changed_revision: revision, unpublished: true },
            update: { $set: { changed_packages: packages } },
          },
        })),
        { ordered: false },
      );
    },

    /**
     * Takes note that a change of the revision reached the sets. A scan of one that is not stored yet
     * is begun again at this revision. Gives those that were evaluated at an older one.
     */
    async beginChange(digests: string[], revision: number): Promise<OlderSet[]> {
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
      // Of those that a part of the same change reached before, what was noted is not all.
      await sets.updateMany(
        { _id: { $in: digests }, revision: { $gte: revision }, unpublished: true },
        { $set: { changed_packages: null } },
      );
      const older = await sets
        .find(
          { _id: { $in: digests }, revision: { $lt: revision }, counts: { $exists: true } },
          { projection: { rules: 1, unpublished: 1 } },
        )
        .toArray();
      return older.map((found) => ({
        digest: found._id,
        isCurrent: isCurrent(found),
        isUnpublished: found.unpublished === true,
      }));
    },

    /** The next sets, by digest, that were evaluated by older rules. */
    async listOlderRules(after: string, limit: number): Promise<string[]> {
      const found = sets
        .find(
          { rules: { $in: olderRules }, _id: { $gt: after }, counts: { $exists: true } },
          { projection: { _id: 1 } },
        )
        .sort({ _id: 1 })
        .limit(limit);
      return (await found.toArray()).map(({ _id }) => _id);
    },

    /**
     * Begins to forget a set: a scan that comes from now on evaluates it anew. The caller asks after
     * this whether anything refers to the set; when nothing does, `remove` ends it.
     */
    async beginDeletion(digest: string): Promise<SetDeletion> {
      const mark = newGeneration();
      await sets.updateOne({ _id: digest }, { $set: { released: mark } });
      const [ofMembers, ofMatched] = await Promise.all([
        members.find(digest),
        matchPages.find(digest),
      ]);
      return { digest, mark, members: ofMembers, matchPages: ofMatched };
    },

    /** Forgets a set whose components are stored nowhere any more, but nothing that was written since. */
    async remove({ digest, mark, ...found }: SetDeletion): Promise<void> {
      await matchPages.remove(found.matchPages);
      await members.remove(found.members);
      await sets.deleteOne({ _id: digest, released: mark });
    },

    /** Sets whose change, up to the revision, was not announced yet, some at a time. */
    async *listUnpublished(revision: number, perPage: number): AsyncGenerator<SetChange[]> {
      // In small batches: the cursor is not to expire while the reader waits for others.
      const found = sets.find(
        { unpublished: true, changed_revision: { $lte: revision } },
        {
          projection: { changed_revision: 1, changed_at: 1, changed_packages: 1 },
          batchSize: perPage,
        },
      );
      let page: SetChange[] = [];
      for await (const { _id, changed_revision = 0, changed_at = null, ...rest } of found) {
        const packages = rest.changed_packages ?? null;
        page.push({ digest: _id, revision: changed_revision, changed_at, packages });
        if (page.length < perPage) continue;
        yield page;
        page = [];
      }
      if (page.length > 0) yield page;
    },

    /** Is there a set whose change the others were not told yet? */
    async hasUnpublished(): Promise<boolean> {
      return (await sets.findOne({ unpublished: true }, { projection: { _id: 1 } })) !== null;
    },

    /** The others know of these changes of one revision; a set that has changed again stays noted. */
    async markPublished(digests: string[], revision: number): Promise<void> {
      await sets.updateMany(
        { _id: { $in: digests }, changed_revision: revision },
        {
          $set: { published_revision: revision },
          $unset: { unpublished: true, changed_packages: true },
        },
      );
    },
  };
}

function evaluatedSet(
  found: SetDocument,
  counts: SetCounts,
  matched: MatchedComponent[],
): EvaluatedSet {
  const { _id: digest, revision } = found;
  return { digest, revision, counts, matched, isCurrent: isCurrent(found) };
}

function evaluationOf(found: Pick<SetDocument, 'revision' | 'rules'>): SetEvaluation {
  return { is: isCurrent(found) ? 'current' : 'older', revision: found.revision };
}

function isCurrent({ rules }: Pick<SetDocument, 'rules'>): boolean {
  return rules === MATCHING_RULES_VERSION;
}
