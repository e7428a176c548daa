import { isInScope, type ProjectScope } from '@bomtrail/messages';
import { type Database, oneOrSeveral } from '@bomtrail/mongo';
import type { Db, Filter } from 'mongodb';
import { presentStatuses } from '../../tracking/domain/decisions';
import { ownNames } from '../../tracking/domain/vulnerability-names';
import {
  allProjects,
  type DetailsDocument,
  type ServiceStateDocument,
  type TrackedVulnerabilityDocument,
} from '../../tracking/store/documents';
import type { VexConflict } from '../domain/vex-conflicts';
import { type VexEvaluationStore, vexRules } from '../ports';
import { createDecisionsOfDocuments, type EvaluationDocument } from './decisions-of-documents';
import type { Service } from '../../tracking/domain/types';

/** What documents decided about services. */
export function createVexEvaluationStore(database: Database): VexEvaluationStore {
  const { db } = database;
  const evaluations = db.collection<EvaluationDocument>('vex_evaluations');
  const vulnerabilities = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');
  const details = db.collection<DetailsDocument>('vulnerability_details');

  /** The details that name one of these ids, each with all that it names. */
  const naming = (ids: readonly string[]) =>
    details
      .find({ alias_keys: { $in: [...ids] } })
      .project<Pick<DetailsDocument, '_id' | 'aliases' | 'upstream'>>({ aliases: 1, upstream: 1 })
      .map((one) => ({ _id: one._id, ids: ownNames(one) }))
      .toArray();

  /** Those of some details that a vulnerability in a newest SBOM has. */
  async function present<One extends { _id: string }>(
    some: readonly One[],
    where: Filter<TrackedVulnerabilityDocument>,
  ): Promise<One[]> {
    const details_id = { $in: some.map(({ _id }) => _id) };
    const status = { $in: [...presentStatuses] };
    const found = await vulnerabilities.distinct('details_id', { ...where, details_id, status });
    const used = new Set<unknown>(found);
    return some.filter(({ _id }) => used.has(_id));
  }

  return {
    ...createDecisionsOfDocuments(database),
    ...createPendingEvaluations(db),

    evaluationOf: (_id) =>
      evaluations.findOne({ _id }, { projection: { results: 0, suggestions: 0, conflicts: 0 } }),

    async isEvaluated(_id, { sbom_id, revision }) {
      const by = { _id, sbom_id, revision, rules: vexRules };
      return (await evaluations.countDocuments(by, { limit: 1 })) > 0;
    },

    async aliasGroups(service_id, ids) {
      const asked = new Set(ids);
      const several = (await naming(ids)).filter(
        (one) => one.ids.filter((id) => asked.has(id)).length > 1,
      );
      if (several.length === 0) return [];
      const groups = await present(several, { service_id });
      const distinct = new Set(groups.map((one) => one.ids.sort().join('\n')));
      return [...distinct].sort().map((group) => group.split('\n'));
    },

    async suggestionsIn(_id) {
      const found = await evaluations.findOne({ _id }, { projection: { suggestions: 1 } });
      return found?.suggestions ?? [];
    },

    async markApplied(_id, { sbom_id, revision }) {
      await evaluations.updateOne({ _id, sbom_id, revision }, { $set: { applied: true } });
    },

    async resultsOf(vexId, within) {
      const field = `results.${vexId}`;
      const found = await evaluations
        .find({ ...inScope(within), [field]: { $exists: true } }, { projection: { [field]: 1 } })
        .toArray();
      return found.flatMap(({ results }) => results[vexId] ?? []);
    },

    async conflictsWith(vexId, within) {
      const where = {
        ...inScope(within),
        $or: [{ 'conflicts.former.vex_id': vexId }, { 'conflicts.latter.vex_id': vexId }],
      };
      const found = await evaluations.find(where, { projection: { conflicts: 1 } }).toArray();
      const isOf = ({ former, latter }: VexConflict): boolean =>
        former.vex_id === vexId || latter.vex_id === vexId;
      return found.map(({ conflicts = [] }) => conflicts.filter(isOf));
    },

    async presentIds(within, ids) {
      const found = await present(await naming(ids), inScope(within));
      return new Set(found.flatMap((one) => one.ids));
    },
  };
}

/** Which services documents were not applied to yet. See `VexEvaluationStore`. */
function createPendingEvaluations(db: Db): Pick<VexEvaluationStore, 'countPending' | 'pending'> {
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

/** The condition for documents of these projects; undefined: of all. */
function inScope(within: ProjectScope | undefined) {
  return within === undefined ? {} : { project_id: oneOrSeveral(within) };
}
