import { createBatcher } from '@bomtrail/concurrency';
import { isAlreadyStored } from '@bomtrail/mongo';
import { MATCHING_RULES_VERSION } from '@bomtrail/osv';
import type { Db, Document, Filter, UpdateFilter } from 'mongodb';
import { isCurrent, writesPerBatch, type SetDocument } from './component-set-documents';

/** Evaluation state of a set. */
export interface SetEvaluation {
  /** Not evaluated, evaluated by older rules, or by the current rules. */
  is: 'none' | 'older' | 'current';
  /** Revision of the evaluation; 0 for `none`. */
  revision: number;
}

/** An evaluation to be saved. */
export interface SetSave {
  document: SetDocument;
  /** Whether the set counted as not evaluated when this was decided. */
  isFirst: boolean;
}

/** Reads and writes of evaluated sets; concurrent ones share round trips. */
export function createSetDocuments(db: Db) {
  const sets = db.collection<SetDocument>('component_sets');

  /** Saves an evaluation; false when one that it must not replace is stored. */
  const saveDocument = createBatcher<SetSave, boolean>(async (saves) => {
    const refused = await isAlreadyStored(
      sets.bulkWrite(
        saves.map((save) => ({
          updateOne: { filter: mayReplace(save), update: updateBy(save.document), upsert: true },
        })),
        { ordered: false },
      ),
    );
    return saves.map((_save, index) => !refused.has(index));
  }, writesPerBatch);

  /** The document of a set, by digest. */
  const readDocument = createBatcher<string, SetDocument | undefined>(async (digests) => {
    const found = await sets.find({ _id: { $in: digests } }).toArray();
    const byDigest = new Map(found.map((document) => [document._id, document]));
    return digests.map((digest) => byDigest.get(digest));
  }, writesPerBatch);

  /** How a set was evaluated, without its findings. */
  const readEvaluation = createBatcher<string, SetEvaluation>(async (digests) => {
    const found = await sets
      .find(
        { _id: { $in: digests }, counts: { $exists: true }, deletion: { $exists: false } },
        { projection: { revision: 1, rules: 1 } },
      )
      .toArray();
    const byDigest = new Map(found.map((document) => [document._id, evaluationOf(document)]));
    return digests.map((digest) => byDigest.get(digest) ?? { is: 'none', revision: 0 });
  }, writesPerBatch);

  return { saveDocument, readDocument, readEvaluation };
}

/**
 * What a save may replace: nothing of a later revision. A first evaluation replaces no other one of
 * an older revision or of other rules either: its readers would not hear of the difference.
 */
function mayReplace({ document: { _id, revision }, isFirst }: SetSave): Filter<SetDocument> {
  const notLater = { _id, revision: { $lte: revision } };
  if (!isFirst) return notLater;
  const equal = { revision, rules: MATCHING_RULES_VERSION };
  const none = [{ counts: { $exists: false } }, { deletion: { $exists: true } }];
  return { ...notLater, $or: [...none, equal] };
}

/**
 * The update of a save. A change has the moment of an unpublished one, never of a published one, and
 * keeps a later revision that was recorded meanwhile.
 */
function updateBy({ _id, ...fields }: SetDocument): UpdateFilter<SetDocument> | Document[] {
  if (!fields.unpublished) return { $set: fields, $unset: { deletion: true } };
  const kept = {
    changed_at: { $cond: ['$unpublished', '$changed_at', null] },
    changed_revision: { $max: ['$changed_revision', fields.changed_revision] },
  };
  return [
    { $replaceWith: { $mergeObjects: ['$$ROOT', { $literal: fields }, kept] } },
    { $unset: 'deletion' },
  ];
}

function evaluationOf(found: Pick<SetDocument, 'revision' | 'rules'>): SetEvaluation {
  return { is: isCurrent(found) ? 'current' : 'older', revision: found.revision };
}
