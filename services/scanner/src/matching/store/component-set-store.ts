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

/** An evaluated set. */
export interface EvaluatedSet {
  digest: string;
  revision: number;
  counts: SetCounts;
  matched: MatchedComponent[];
  /** Whether it was evaluated by the current rules. */
  isCurrent: boolean;
}

/** Evaluation state of a set. */
export interface SetEvaluation {
  /** Not evaluated, evaluated by older rules, or by the current rules. */
  is: 'none' | 'older' | 'current';
  /** Revision of the evaluation; 0 for `none`. */
  revision: number;
}

/** Documents of a set at the start of its deletion. */
export interface SetDeletion {
  digest: string;
  mark: string;
  members: FoundDocument[];
  matchPages: FoundDocument[];
}

/** A change of the findings of a set that is not published. */
export interface SetChange {
  digest: string;
  revision: number;
  /** When it came into force; null if unknown. */
  changed_at: Date | null;
  /** Package keys of the affected findings; null: any. */
  packages: readonly string[] | null;
}

/** A set affected by a change and evaluated at an older revision. */
export interface OlderSet {
  digest: string;
  /** Whether it was evaluated by the current rules. */
  isCurrent: boolean;
  /** Whether it has an earlier unpublished change. */
  isUnpublished: boolean;
}

/** Attempts to read all pages of one summary. */
const maxRounds = 5;

const olderRules = Array.from({ length: MATCHING_RULES_VERSION }, (_one, version) => version);

export type ComponentSetStore = ReturnType<typeof createComponentSetStore>;

/** Component sets: their package versions and evaluations. */
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

    /** The counts of a set, null when it was not evaluated. */
    async readCounts(digest: string): Promise<SetCounts | null> {
      const found = await sets.findOne({ _id: digest }, { projection: { counts: 1 } });
      return found?.counts ?? null;
    },

    /**
     * A set with its matched components, null when it was not evaluated.
     *
     * @throws AppError `service_unavailable` when it keeps changing while it is read
     */
    read: (digest: string): Promise<EvaluatedSet | null> => readWith(digest, (matched) => matched),

    /** A set with the wanted matched components only; the others are not kept in memory. */
    readSome: (
      digest: string,
      isWanted: (component: MatchedComponent) => boolean,
    ): Promise<EvaluatedSet | null> => readWith(digest, (matched) => matched.filter(isWanted)),

    /**
     * A set with its matched components if they fit one page, else `many`. Null when it was not
     * evaluated.
     */
    async readSmall(digest: string): Promise<EvaluatedSet | 'many' | null> {
      const found = await readDocument(digest);
      if (found?.further_pages) return 'many';
      return found?.counts && found.matched
        ? evaluatedSet(found, found.counts, found.matched)
        : null;
    },

    /**
     * Saves the evaluation of a set at a revision; false when a later revision is stored.
     *
     * @param at `change`: the set was evaluated before, and the change must be published
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
     * Records that the findings of sets changed with the revision that came into force at
     * `changedAt`. A new summary, if needed, is saved afterwards; then `recordChangedPackages` may
     * narrow the affected packages.
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

    /**
     * Records the packages affected by the revision, for sets without other unpublished changes.
     */
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
     * Records that a change of the revision affects the sets; scans in progress start again at this
     * revision. Returns the sets evaluated at an older revision.
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
      // Sets already affected by another part of the change: the recorded packages are incomplete.
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
     * Starts the deletion of a set: later scans evaluate it anew. The caller then checks that the
     * set is unused and calls `remove`.
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

    /** Deletes a set, except for documents written after the deletion began. */
    async remove({ digest, mark, ...found }: SetDeletion): Promise<void> {
      await matchPages.remove(found.matchPages);
      await members.remove(found.members);
      await sets.deleteOne({ _id: digest, released: mark });
    },

    /** Yields pages of sets with unpublished changes up to the revision. */
    async *listUnpublished(revision: number, perPage: number): AsyncGenerator<SetChange[]> {
      // Small batches, so that the cursor does not expire while the caller sends requests.
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

    /** Whether any set has an unpublished change. */
    async hasUnpublished(): Promise<boolean> {
      return (await sets.findOne({ unpublished: true }, { projection: { _id: 1 } })) !== null;
    },

    /** Marks the changes of one revision as published; sets that changed again stay unpublished. */
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
