import { createBatcher } from '@bomtrail/concurrency';
import type { EmbeddedVexMode } from '@bomtrail/messages';
import { gunzip, gzip } from '@bomtrail/messaging';
import { type Database, type IndexPlan, inTransaction, isDuplicateKey } from '@bomtrail/mongo';
import type { VexDocument } from '@bomtrail/vex';
import type { Binary, ClientSession } from 'mongodb';
import { allProjects } from '../../tracking/store/documents';
import { createProjectStore } from '../../tracking/store/project-store';
import type { VexDocumentStore, VexRecord } from '../ports';
import { createAcceptanceEpochs } from '../../decisions/store/acceptance-epochs';

/** The record with the statements, gzip'd JSON. */
interface VexStoredDocument extends VexRecord {
  statements: Binary | Buffer;
}

export const vexIndexes: IndexPlan = {
  vex_documents: [
    { key: { project_id: 1, document_id: 1 }, unique: true },
    { key: { updated_at: -1, _id: 1 } },
  ],
};

const withoutStatements = { projection: { statements: 0 } } as const;

/** VEX documents, with a revision per project that changes with them. */
export function createVexDocumentStore(database: Database): VexDocumentStore {
  const { db, client } = database;
  const documents = db.collection<VexStoredDocument>('vex_documents');
  const { move, ...revisions } = createVexRevisions(database);
  const projects = createProjectStore(database);

  return {
    ...revisions,

    async documentsIn(projectId) {
      const found = await documents
        .find({ project_id: { $in: [projectId, allProjects] } })
        .sort({ created_at: 1, _id: 1 })
        .toArray();
      return Promise.all(
        found.map(async ({ _id, document_id, version, author, last_updated, ...one }) => ({
          id: _id,
          created_at: one.created_at.toISOString(),
          updated_at: one.updated_at.toISOString(),
          document: {
            id: document_id,
            version,
            author,
            last_updated,
            statements: await unpack(one.statements),
          },
        })),
      );
    },

    byDocumentId: (project_id, document_id) =>
      documents.findOne({ project_id, document_id }, withoutStatements),

    byId: (_id) => documents.findOne({ _id }, withoutStatements),

    async statementsOf(_id) {
      const found = await documents.findOne({ _id }, { projection: { statements: 1 } });
      return found && unpack(found.statements);
    },

    async list({ within, feed }, { skip, limit }) {
      const where = {
        ...(within !== undefined && { project_id: { $in: [within, allProjects].flat() } }),
        ...(feed !== undefined && { feed }),
      };
      const [items, total] = await Promise.all([
        documents
          .find(where, withoutStatements)
          .sort({ updated_at: -1, _id: 1 })
          .skip(skip)
          .limit(limit)
          .toArray(),
        documents.countDocuments(where),
      ]);
      return { items, total };
    },

    async countProducts(projectId, except) {
      const where =
        projectId === allProjects ? {} : { project_id: { $in: [projectId, allProjects] } };
      const [found] = await documents
        .aggregate<{ sum: number }>([
          { $match: { ...where, _id: { $ne: except } } },
          { $group: { _id: null, sum: { $sum: '$product_count' } } },
        ])
        .toArray();
      return found?.sum ?? 0;
    },

    async save(record, document, replaced) {
      const statements = await gzip(JSON.stringify(document.statements));
      const work = async (session: ClientSession): Promise<'done' | 'lost'> => {
        if (replaced === null) await documents.insertOne({ ...record, statements }, { session });
        else {
          const { _id, sha256, updated_at } = replaced;
          const where = { _id, sha256, updated_at };
          const saved = await documents.replaceOne(where, { ...record, statements }, { session });
          if (saved.matchedCount === 0) return 'lost';
        }
        await move(record.project_id, session);
        return 'done';
      };
      try {
        const outcome = await projects.addTo(record.project_id, work);
        return outcome === 'deleted' ? 'no_project' : outcome;
      } catch (error) {
        if (isDuplicateKey(error)) return 'lost';
        throw error;
      }
    },

    delete: ({ _id, project_id }) =>
      inTransaction(client, async (session) => {
        const deleted = await documents.deleteOne({ _id }, { session });
        if (deleted.deletedCount === 0) return false;
        await move(project_id, session);
        return true;
      }),
  };
}

/** Concurrent reads of revisions combined into one. */
const readsAtOnce = 64;

async function unpack(packed: Binary | Buffer): Promise<VexDocument['statements']> {
  const bytes = Buffer.isBuffer(packed) ? packed : packed.buffer;
  return JSON.parse((await gunzip(bytes)).toString()) as VexDocument['statements'];
}

/** The revision of a project's documents, and what it does with statements in SBOMs. */
interface VexRevision {
  _id: string;
  revision: number;
  embedded?: EmbeddedVexMode;
}

/** A revision per project, which moves whenever its documents may decide otherwise. */
function createVexRevisions(database: Database) {
  const revisions = database.db.collection<VexRevision>('vex_revisions');
  const projects = createProjectStore(database);
  const epochs = createAcceptanceEpochs(database.db);

  return {
    /** Every upload to a project with documents makes such a read. No result is older than its request. */
    revisionOf: createBatcher<string, number>(async (projectIds) => {
      const ids = [...new Set([...projectIds, allProjects])];
      const found = await revisions.find({ _id: { $in: ids } }).toArray();
      const own = new Map(found.map(({ _id, revision }) => [_id, revision]));
      const common = own.get(allProjects) ?? 0;
      return projectIds.map((id) => (own.get(id) ?? 0) + common);
    }, readsAtOnce),

    async embeddedIn(projectId: string): Promise<EmbeddedVexMode> {
      return (await revisions.findOne({ _id: projectId }))?.embedded ?? 'off';
    },

    setEmbedded: (projectId: string, embedded: EmbeddedVexMode): Promise<'done' | 'deleted'> =>
      projects.addTo(projectId, async (session) => {
        const stored = await revisions.findOne({ _id: projectId }, { session });
        if ((stored?.embedded ?? 'off') === embedded) return 'done' as const;
        const change = { $set: { embedded }, $inc: { revision: 1 } };
        await revisions.updateOne({ _id: projectId }, change, { session, upsert: true });
        await epochs.noteVex(projectId, session);
        return 'done' as const;
      }),

    /** Moves the revision of a project, in the transaction that changes its documents. */
    async move(projectId: string, session: ClientSession): Promise<void> {
      const next = { $inc: { revision: 1 } };
      await revisions.updateOne({ _id: projectId }, next, { session, upsert: true });
      await epochs.noteVex(projectId, session);
    },
  };
}
