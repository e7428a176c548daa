import { isInScope, type ProjectScope } from '@bomtrail/messages';
import { oneOrSeveral, type Database } from '@bomtrail/mongo';
import { presentStatuses } from '../../tracking/domain/decisions';
import {
  allProjects,
  type AcceptanceDocument,
  type DetailsDocument,
  type ServiceStateDocument,
  type TrackedVulnerabilityDocument,
} from '../../tracking/store/documents';
import { createProjectStore } from '../../tracking/store/project-store';
import type { StoredSuggestion, VexEvaluation, VexEvaluationStore, VexService } from '../ports';
import type { VexConflict } from '../domain/decide-by-vex';
import { createAcceptanceEpochs } from '../../decisions/store/acceptance-epochs';

interface EvaluationDocument extends VexEvaluation {
  /** The service. */
  _id: string;
  project_id: string;
  /** By id of the document's record. */
  results: Record<string, string>;
  suggestions?: StoredSuggestion[];
  conflicts?: VexConflict[];
}

/** What documents decided about services. */
export function createVexEvaluationStore(database: Database): VexEvaluationStore {
  const { db } = database;
  const evaluations = db.collection<EvaluationDocument>('vex_evaluations');
  const acceptances = db.collection<AcceptanceDocument>('acceptances');
  const states = db.collection<ServiceStateDocument>('service_states');
  const revisions = db.collection<{ _id: string; revision: number }>('vex_revisions');
  const vulnerabilities = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');
  const details = db.collection<DetailsDocument>('vulnerability_details');
  const projects = createProjectStore(database);
  const epochs = createAcceptanceEpochs(db);

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
        from: evaluations.collectionName,
        localField: '_id',
        foreignField: '_id',
        pipeline: [{ $project: { results: 0, suggestions: 0, conflicts: 0 } }],
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
    ],
  };

  async function currentRevisions(): Promise<Map<string, number>> {
    const found = await revisions.find().toArray();
    return new Map(found.map(({ _id, revision }) => [_id, revision]));
  }

  return {
    evaluationOf: (_id) =>
      evaluations.findOne({ _id }, { projection: { results: 0, suggestions: 0, conflicts: 0 } }),

    async suggestionsIn(_id) {
      const found = await evaluations.findOne({ _id }, { projection: { suggestions: 1 } });
      return found?.suggestions ?? [];
    },

    async servicesDecidedBy(vexId) {
      const found = await acceptances
        .aggregate<VexService>([
          { $match: { vex_id: vexId } },
          { $group: { _id: { $first: '$services' }, project_id: { $first: '$project_id' } } },
          { $project: { _id: 0, service_id: '$_id', project_id: 1 } },
        ])
        .toArray();
      return found;
    },

    async replace({ service_id, project_id }, evaluation, decisions) {
      const changed = await projects.addTo(project_id, async (session) => {
        const [state, found] = await Promise.all([
          states.findOne({ _id: service_id, deletion_state: { $exists: true } }, { session }),
          revisions.find({ _id: { $in: [project_id, allProjects] } }, { session }).toArray(),
        ]);
        const revision = found.reduce((sum, one) => sum + one.revision, 0);
        if (state || revision !== evaluation.revision) return null;
        const own = { project_id, services: [service_id], source: 'vex' as const };
        const stored = await acceptances.find(own, { session }).toArray();
        const wanted = new Map(decisions.map((one) => [contentOf(one), one]));
        const kept = new Set(stored.map(contentOf).filter((content) => wanted.has(content)));
        const gone = stored.filter((one) => !kept.has(contentOf(one)));
        const fresh = [...wanted].flatMap(([content, one]) => (kept.has(content) ? [] : one));
        if (gone.length > 0)
          await acceptances.deleteMany({ _id: { $in: gone.map(({ _id }) => _id) } }, { session });
        if (fresh.length > 0) await acceptances.insertMany(fresh, { session });
        const isChanged = gone.length + fresh.length > 0;
        if (isChanged) await epochs.move(project_id, session);
        await evaluations.replaceOne(
          { _id: service_id },
          { project_id, ...evaluation, applied: evaluation.applied || !isChanged },
          { session, upsert: true },
        );
        return [...new Set([...gone, ...fresh].flatMap(({ identity }) => identity))];
      });
      return changed === 'deleted' ? null : changed;
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
        .aggregate<VexService & { sbom_id: string }>([
          ...withEvaluation(undefined, sums),
          { $match: { $expr: { $or: [isOutdated, { $eq: ['$evaluation.applied', false] }] } } },
          { $limit: limit },
          { $project: { _id: 0, service_id: '$_id', project_id: 1, sbom_id: 1 } },
        ])
        .toArray();
    },

    async presentIds(within, ids) {
      const naming = await details
        .find({ alias_keys: { $in: [...ids] } })
        .project<{ _id: string; alias_keys: string[] }>({ alias_keys: 1 })
        .toArray();
      const present = await vulnerabilities.distinct('details_id', {
        details_id: { $in: naming.map(({ _id }) => _id) },
        status: { $in: [...presentStatuses] },
        ...inScope(within),
      });
      const used = new Set<unknown>(present);
      return new Set(naming.flatMap((one) => (used.has(one._id) ? one.alias_keys : [])));
    },
  };
}

function inScope(within: ProjectScope | undefined) {
  return within === undefined ? {} : { project_id: oneOrSeveral(within) };
}

/** Projects that ever had a document of their own. */
function projectsOf(within: ProjectScope | undefined, sums: Map<string, number>): string[] {
  return [...sums.keys()].filter((id) => isInScope(within, id));
}

/** What makes two decisions of documents the same, so that an unchanged one keeps its id and times. */
function contentOf(one: AcceptanceDocument): string {
  const { vex_id, source_document, decision, justification, reason, detail, identity, packages } =
    one;
  return JSON.stringify([
    ...[vex_id, source_document?.statement, decision, justification, reason, detail, identity],
    ...[packages ?? null, one.decided_at],
  ]);
}
