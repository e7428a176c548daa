import { createBatcher } from '@bomtrail/concurrency';
import { isAlreadyStored } from '@bomtrail/mongo';
import type { Db } from 'mongodb';
import { isCurrent, writesPerBatch, type SetDocument } from './component-set-documents';

/** Evaluation state of a set. */
export interface SetEvaluation {
  /** Not evaluated, evaluated by older rules, or by the current rules. */
  is: 'none' | 'older' | 'current';
  /** Revision of the evaluation; 0 for `none`. */
  revision: number;
}

/** Reads and writes of evaluated sets; concurrent ones share round trips. */
export function createSetDocuments(db: Db) {
  const sets = db.collection<SetDocument>('component_sets');

  /** Saves an evaluation; false when a later revision is stored. */
  const saveDocument = createBatcher<SetDocument, boolean>(async (documents) => {
    const outdated = await isAlreadyStored(
      sets.bulkWrite(
        documents.map(({ _id, ...fields }) => ({
          updateOne: {
            filter: { _id, revision: { $lte: fields.revision } },
            update: { $set: fields, $unset: { deletion: true } },
            upsert: true,
          },
        })),
        { ordered: false },
      ),
    );
    return documents.map((_document, index) => !outdated.has(index));
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

function evaluationOf(found: Pick<SetDocument, 'revision' | 'rules'>): SetEvaluation {
  return { is: isCurrent(found) ? 'current' : 'older', revision: found.revision };
}
