import { AppError } from '@bomtrail/messages';
import { MATCHING_RULES_VERSION } from '@bomtrail/osv';
import type { Db } from 'mongodb';
import type { MatchedComponent } from '../domain/component';
import type { SetCounts, SetSummary } from '../domain/component-set';
import { isCurrent, type SetDocument } from './component-set-documents';
import { matchPagesOf, type MatchPages } from './match-pages';
import { createSetDocuments } from './set-documents';

/** An evaluated set. */
export interface EvaluatedSet {
  digest: string;
  revision: number;
  counts: SetCounts;
  matched: MatchedComponent[];
  /** Whether it was evaluated by the current rules. */
  isCurrent: boolean;
}

/** Attempts to read all pages of one summary. */
const maxRounds = 5;

const olderRules = Array.from({ length: MATCHING_RULES_VERSION }, (_one, version) => version);

/** Evaluations of component sets: reads and saves of their summaries. */
export function createSetEvaluations(db: Db, matchPages: MatchPages) {
  const sets = db.collection<SetDocument>('component_sets');

  const { saveDocument, readDocument, readEvaluation } = createSetDocuments(db);

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
    readEvaluation,

    /** The counts of a set, null when it was not evaluated. */
    async readCounts(digest: string): Promise<SetCounts | null> {
      const found = await sets.findOne({ _id: digest }, { projection: { counts: 1 } });
      return found?.counts ?? null;
    },

    /** The counts of sets; sets that were not evaluated are missing. */
    async readCountsOfSets(digests: readonly string[]): Promise<Map<string, SetCounts>> {
      const found = sets
        .find({ _id: { $in: [...digests] }, counts: { $exists: true } })
        .project<{ _id: string; counts: SetCounts }>({ counts: 1 });
      return new Map((await found.toArray()).map(({ _id, counts }) => [_id, counts]));
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
     * @param at `change`: the set was evaluated before, and the change must be published;
     *   `isFirst`: it was not; false also when it has been at an older revision meanwhile
     */
    async save(
      digest: string,
      summary: SetSummary,
      at: { revision: number; change: boolean; isFirst?: boolean },
    ): Promise<boolean> {
      const { revision, isFirst = false } = at;
      const { matched, further } = matchPagesOf(summary.matched);
      await matchPages.save(digest, revision, further);
      const document: SetDocument = {
        _id: digest,
        revision,
        counts: summary.counts,
        matched,
        further_pages: further.length,
        rules: MATCHING_RULES_VERSION,
        ...(at.change
          ? { changed_revision: revision, unpublished: true, changed_packages: null }
          : {}),
      };
      const saved = await saveDocument({ document, isFirst });
      if (further.length > 0 || at.change) {
        const current = await readDocument(digest);
        if (current) await matchPages.removeOlder(digest, current.revision);
      }
      return saved;
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
