import type { IndexPlan } from '@bomtrail/mongo';
import type { Db } from 'mongodb';
import type { VexSourceDocument, VexSourceState } from '../domain/vex-source-state';
import type { VexSourceStore } from '../ports';

export const vexSourceIndexes: IndexPlan = {
  vex_source_documents: [{ key: { origin: 1, key: 1 }, unique: true }, { key: { vex_id: 1 } }],
};

/** See `VexSourceStore`. */
export function createVexSourceStore(db: Db): VexSourceStore {
  const states = db.collection<VexSourceState & { _id: string }>('vex_source_state');
  const documents = db.collection<VexSourceDocument>('vex_source_documents');
  const withoutId = { projection: { _id: 0 } } as const;

  return {
    states: () => states.find({}, withoutId).toArray(),
    async save(state) {
      await states.replaceOne({ _id: state.origin }, state, { upsert: true });
    },
    documents: (origin) => documents.find({ origin }, withoutId).toArray(),
    document: ({ origin, key }) => documents.findOne({ origin, key }, withoutId),
    async put(document) {
      const { origin, key } = document;
      await documents.replaceOne({ origin, key }, document, { upsert: true });
    },
    async replaced({ origin, key, vex_id, sha256 }, error) {
      const others = { vex_id, sha256: { $ne: sha256 }, ...otherThan({ origin, key }) };
      const again = { vex_id: null, sha256: null, stamp: null, fingerprint: null, error };
      await documents.updateMany(others, { $set: again });
    },
    async isUsed(vex_id, { origin, key }) {
      const other = { vex_id, ...otherThan({ origin, key }) };
      return (await documents.findOne(other)) !== null;
    },
    async remove({ origin, key }) {
      await documents.deleteOne({ origin, key });
    },
    async removeState(origin) {
      await states.deleteOne({ _id: origin });
    },
    async rejected(origin, limit) {
      const where = { origin, error: { $ne: null } };
      const [total, first] = await Promise.all([
        documents.countDocuments(where),
        documents.find(where, withoutId).sort({ key: 1 }).limit(limit).toArray(),
      ]);
      return { total, first };
    },
  };
}

function otherThan({ origin, key }: Pick<VexSourceDocument, 'origin' | 'key'>) {
  return { $or: [{ origin: { $ne: origin } }, { key: { $ne: key } }] };
}
