import type { Database } from '@bomtrail/mongo';
import { createAcceptanceEpochs } from '../../decisions/store/acceptance-epochs';
import {
  allProjects,
  type AcceptanceDocument,
  type ServiceStateDocument,
} from '../../tracking/store/documents';
import { createProjectStore } from '../../tracking/store/project-store';
import type { VexEvaluationStore, VexService } from '../ports';
import type { EvaluationDocument } from './evaluation-document';

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
  };
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
