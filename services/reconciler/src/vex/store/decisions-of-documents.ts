import type { Database } from '@bomtrail/mongo';
import { createAcceptanceEpochs } from '../../decisions/store/acceptance-epochs';
import {
  type AcceptanceDocument,
  allProjects,
  type ServiceStateDocument,
} from '../../tracking/store/documents';
import { createProjectStore } from '../../tracking/store/project-store';
import {
  type StoredSuggestion,
  type VexEvaluation,
  type VexEvaluationStore,
  vexRules,
} from '../ports';
import type { Service } from '../../tracking/domain/types';
import type { VexConflict } from '../domain/vex-conflicts';

/** A document of `vex_evaluations`. */
export interface EvaluationDocument extends VexEvaluation {
  /** The service. */
  _id: string;
  project_id: string;
  /** By id of the document's record. */
  results: Record<string, string>;
  suggestions?: StoredSuggestion[];
  conflicts?: VexConflict[];
}

/** The decisions that documents make about services. See `VexEvaluationStore`. */
export function createDecisionsOfDocuments(
  database: Database,
): Pick<VexEvaluationStore, 'servicesDecidedBy' | 'replace'> {
  const { db } = database;
  const evaluations = db.collection<EvaluationDocument>('vex_evaluations');
  const acceptances = db.collection<AcceptanceDocument>('acceptances');
  const states = db.collection<ServiceStateDocument>('service_states');
  const revisions = db.collection<{ _id: string; revision: number }>('vex_revisions');
  const projects = createProjectStore(database);
  const epochs = createAcceptanceEpochs(db);

  return {
    servicesDecidedBy: (vexId) =>
      acceptances
        .aggregate<Service>([
          { $match: { vex_id: vexId } },
          { $group: { _id: { $first: '$services' }, project_id: { $first: '$project_id' } } },
          { $project: { _id: 0, service_id: '$_id', project_id: 1 } },
        ])
        .toArray(),

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
        const changedPackages = stored.flatMap((one) => {
          const packages = wanted.get(contentOf(one))?.packages;
          const isSame = JSON.stringify(packages) === JSON.stringify(one.packages);
          return isSame || !kept.has(contentOf(one)) ? [] : [{ ...one, packages }];
        });
        if (gone.length > 0)
          await acceptances.deleteMany({ _id: { $in: gone.map(({ _id }) => _id) } }, { session });
        if (fresh.length > 0) await acceptances.insertMany(fresh, { session });
        if (changedPackages.length > 0)
          await acceptances.bulkWrite(changedPackages.map(replacePackages), { session });
        const changes = [...gone, ...fresh, ...changedPackages];
        const before = await evaluations.findOne(
          { _id: service_id },
          { session, projection: { applied: 1, rules: 1 } },
        );
        const isChanged = changes.length > 0 || (before !== null && before.rules !== vexRules);
        const wasApplied = before?.applied ?? true;
        if (isChanged) await epochs.move(project_id, session);
        await evaluations.replaceOne(
          { _id: service_id },
          { project_id, ...evaluation, applied: evaluation.applied || (wasApplied && !isChanged) },
          { session, upsert: true },
        );
        return [...new Set(changes.flatMap(({ identity }) => identity))];
      });
      return changed === 'deleted' ? null : changed;
    },
  };
}

/** Replaces the packages of a decision. */
function replacePackages({
  _id,
  packages,
}: Pick<AcceptanceDocument, '_id'> & { packages: AcceptanceDocument['packages'] | undefined }) {
  const update = packages ? { $set: { packages } } : { $unset: { packages: 1 as const } };
  return { updateOne: { filter: { _id }, update } };
}

/**
 * What makes two decisions of documents the same. A statement makes one in each service, which keeps its id and times
 * whatever it covers there: else timeline and statistics showed it as made with the last change of a version.
 */
function contentOf(one: AcceptanceDocument): string {
  const { vex_id, source_document, decision, justification, reason, detail, identity } = one;
  return JSON.stringify([
    ...[vex_id, source_document?.statement, decision, justification, reason, detail, identity],
    one.decided_at,
  ]);
}
