import type { EmbeddedVexMode } from '@bomtrail/messages';
import type { Database } from '@bomtrail/mongo';
import type { ClientSession } from 'mongodb';
import { createAcceptanceEpochs } from '../../decisions/store/acceptance-epochs';
import { allProjects } from '../../tracking/store/documents';
import { createProjectStore } from '../../tracking/store/project-store';
import type { VexDocumentStore } from '../ports';

/** The revision of a project's documents, and what it does with statements in SBOMs. */
interface VexRevision {
  _id: string;
  revision: number;
  embedded?: EmbeddedVexMode;
}

export interface VexRevisions extends Pick<
  VexDocumentStore,
  'revisionsOf' | 'embeddedIn' | 'setEmbedded'
> {
  /** Moves the revision of a project, in the transaction that changes its documents. */
  move(projectId: string, session: ClientSession): Promise<void>;
}

/** A revision per project, which moves whenever its documents may decide otherwise. */
export function createVexRevisions(database: Database): VexRevisions {
  const revisions = database.db.collection<VexRevision>('vex_revisions');
  const projects = createProjectStore(database);
  const epochs = createAcceptanceEpochs(database.db);

  return {
    async revisionsOf(projectIds) {
      const ids = [...new Set([...projectIds, allProjects])];
      const found = await revisions.find({ _id: { $in: ids } }).toArray();
      const own = new Map(found.map(({ _id, revision }) => [_id, revision]));
      const common = own.get(allProjects) ?? 0;
      return projectIds.map((id) => (own.get(id) ?? 0) + common);
    },

    async embeddedIn(projectId) {
      return (await revisions.findOne({ _id: projectId }))?.embedded ?? 'off';
    },

    setEmbedded: (projectId, embedded) =>
      projects.addTo(projectId, async (session) => {
        const stored = await revisions.findOne({ _id: projectId }, { session });
        if ((stored?.embedded ?? 'off') === embedded) return 'done' as const;
        const change = { $set: { embedded }, $inc: { revision: 1 } };
        await revisions.updateOne({ _id: projectId }, change, { session, upsert: true });
        await epochs.noteVex(projectId, session);
        return 'done' as const;
      }),

    async move(projectId: string, session: ClientSession): Promise<void> {
      const next = { $inc: { revision: 1 } };
      await revisions.updateOne({ _id: projectId }, next, { session, upsert: true });
      await epochs.noteVex(projectId, session);
    },
  };
}
