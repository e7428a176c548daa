import type { ClientSession, Db } from 'mongodb';
import { allProjects } from '../../tracking/store/documents';
import type { AcceptanceEpochs } from '../ports';

export interface MovedEpochs extends AcceptanceEpochs {
  /** Increases the epoch of a project, or of all projects. */
  move(projectId: string, session: ClientSession): Promise<void>;
}

/**
 * The epoch of a project is the sum of its own count of changes and that of the decisions for all projects:
 * both only grow, so that a change of either changes it.
 */
export function createAcceptanceEpochs(db: Db): MovedEpochs {
  const epochs = db.collection<{ _id: string; epoch: number }>('acceptance_epochs');

  async function epochsOf(projectIds: readonly string[]): Promise<Map<string, number>> {
    const ids = [...new Set([...projectIds, allProjects])];
    const found = await epochs.find({ _id: { $in: ids } }).toArray();
    const own = new Map(found.map(({ _id, epoch }) => [_id, epoch]));
    const common = own.get(allProjects) ?? 0;
    return new Map(projectIds.map((id) => [id, (own.get(id) ?? 0) + common]));
  }

  return {
    epochsOf,
    epoch: async (projectId) => (await epochsOf([projectId])).get(projectId) ?? 0,
    async move(projectId, session) {
      const next = { $inc: { epoch: 1 } };
      await epochs.updateOne({ _id: projectId }, next, { session, upsert: true });
    },
  };
}
