import { isInScope, type ProjectScope } from '@bomtrail/messages';
import type { Db } from 'mongodb';
import { allProjects, type ServiceStateDocument } from '../../tracking/store/documents';
import { vexRules, type VexEvaluationStore } from '../ports';
import { inScope } from './in-scope';
import type { Service } from '../../tracking/domain/types';

/** Which services documents were not applied to yet. See `VexEvaluationStore`. */
export function createPendingEvaluations(
  db: Db,
): Pick<VexEvaluationStore, 'countPending' | 'pending'> {
  const states = db.collection<ServiceStateDocument>('service_states');
  const revisions = db.collection<{ _id: string; revision: number }>('vex_revisions');

  /** Services with a newest SBOM, each with its evaluation and the present revision of its documents. */
  const withEvaluation = (
    within: ProjectScope | undefined,
    sums: Map<string, number>,
  ): object[] => [
    {
      $match: {
        ...inScope(within),
        ...((sums.get(allProjects) ?? 0) === 0 && {
          project_id: { $in: projectsOf(within, sums) },
        }),
        head: { $ne: null },
        deletion_state: { $exists: false },
      },
    },
    { $project: { project_id: 1, sbom_id: '$head.sbom_id' } },
    {
      $lookup: {
        from: 'vex_evaluations',
        localField: '_id',
        foreignField: '_id',
        pipeline: [{ $project: { results: 0, suggestions: 0, conflicts: 0, compared: 0 } }],
        as: 'evaluation',
      },
    },
    { $set: { evaluation: { $first: '$evaluation' } } },
    {
      $lookup: {
        from: revisions.collectionName,
        localField: 'project_id',
        foreignField: '_id',
        as: 'own',
      },
    },
    { $set: { revision: { $add: [sums.get(allProjects) ?? 0, { $sum: '$own.revision' }] } } },
  ];
  const isOutdated = {
    $or: [
      { $ne: ['$evaluation.sbom_id', '$sbom_id'] },
      { $ne: ['$evaluation.revision', '$revision'] },
      { $ne: ['$evaluation.rules', vexRules] },
    ],
  };

  async function currentRevisions(): Promise<Map<string, number>> {
    const found = await revisions.find().toArray();
    return new Map(found.map(({ _id, revision }) => [_id, revision]));
  }

  return {
    async countPending(within) {
      const sums = await currentRevisions();
      const [found] = await states
        .aggregate<{ count: number }>([
          ...withEvaluation(within, sums),
          { $match: { $expr: isOutdated } },
          { $count: 'count' },
        ])
        .toArray();
      return found?.count ?? 0;
    },

    async pending(limit) {
      const sums = await currentRevisions();
      if (sums.size === 0) return [];
      return states
        .aggregate<Service & { sbom_id: string }>([
          ...withEvaluation(undefined, sums),
          { $match: { $expr: { $or: [isOutdated, { $eq: ['$evaluation.applied', false] }] } } },
          { $limit: limit },
          { $project: { _id: 0, service_id: '$_id', project_id: 1, sbom_id: 1 } },
        ])
        .toArray();
    },
  };
}

/** Projects that ever had a document of their own. */
function projectsOf(within: ProjectScope | undefined, sums: Map<string, number>): string[] {
  return [...sums.keys()].filter((id) => isInScope(within, id));
}
