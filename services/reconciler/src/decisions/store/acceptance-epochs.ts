import { createBatcher } from '@bomtrail/concurrency';
import type { ClientSession, Db } from 'mongodb';
import { allProjects } from '../../tracking/store/documents';
import type { AcceptanceEpochs, ProjectEpoch } from '../ports';

/** Concurrent reads combined into one. */
export const readsAtOnce = 64;

/** By project, and one for all projects. */
interface EpochDocument {
  _id: string;
  /** Absent: 0. */
  epoch?: number;
  /** `hasVex`; never unset. */
  vex?: true;
}

export interface MovedEpochs extends AcceptanceEpochs {
  /** Increases the epoch of a project, or of all projects. */
  move(projectId: string, session: ClientSession): Promise<void>;
  /** Records that VEX documents may decide in a project, or in all projects. */
  noteVex(projectId: string, session: ClientSession): Promise<void>;
}

/**
 * The epoch of a project is the sum of its own count of changes and that of the decisions for all projects:
 * both only grow, so that a change of either changes it. Whether documents may decide stands beside it, since every
 * change of a service reads the epoch.
 */
export function createAcceptanceEpochs(db: Db): MovedEpochs {
  const epochs = db.collection<EpochDocument>('acceptance_epochs');

  return {
    epoch: createBatcher(async (projectIds: string[]) => {
      const ids = [...new Set([...projectIds, allProjects])];
      const found = await epochs.find({ _id: { $in: ids } }).toArray();
      const own = new Map(found.map((one) => [one._id, one]));
      const common = own.get(allProjects);
      return projectIds.map((id): ProjectEpoch => ({
        epoch: (own.get(id)?.epoch ?? 0) + (common?.epoch ?? 0),
        hasVex: Boolean(own.get(id)?.vex ?? common?.vex),
      }));
    }, readsAtOnce),
    async move(projectId, session) {
      const next = { $inc: { epoch: 1 } };
      await epochs.updateOne({ _id: projectId }, next, { session, upsert: true });
    },
    async noteVex(projectId, session) {
      const vex = { $set: { vex: true as const } };
      await epochs.updateOne({ _id: projectId }, vex, { session, upsert: true });
    },
  };
}

/** Notes it for documents that an earlier release stored. Idempotent; part of every start. */
export async function noteStoredVex(db: Db): Promise<void> {
  const revisions = db
    .collection('vex_revisions')
    .aggregate([
      { $project: { vex: { $literal: true } } },
      { $merge: { into: 'acceptance_epochs', whenMatched: 'merge', whenNotMatched: 'insert' } },
    ]);
  await revisions.toArray();
}
