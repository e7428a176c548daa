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
        const renewed = stored.flatMap((one) => {
          const now = wanted.get(contentOf(one));
          return now && renewedPart(now) !== renewedPart(one) ? [{ one, now }] : [];
        });
        // A newer version of the document alone changes no status.
        const changedPackages = renewed.flatMap(({ one, now: { packages } }) =>
          JSON.stringify(packages) === JSON.stringify(one.packages) ? [] : [{ ...one, packages }],
        );
        if (gone.length > 0)
          await acceptances.deleteMany({ _id: { $in: gone.map(({ _id }) => _id) } }, { session });
        if (fresh.length > 0) await acceptances.insertMany(fresh, { session });
        if (renewed.length > 0) await acceptances.bulkWrite(renewed.map(renewal), { session });
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

/** What a decision takes over from one that is the same. */
function renewedPart({ packages, source_document }: AcceptanceDocument): string {
  return JSON.stringify([packages, source_document]);
}

function renewal({ one, now }: { one: AcceptanceDocument; now: AcceptanceDocument }) {
  const { packages, source_document } = now;
  const update = packages
    ? { $set: { packages, source_document } }
    : { $set: { source_document }, $unset: { packages: 1 as const } };
  return { updateOne: { filter: { _id: one._id }, update } };
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
