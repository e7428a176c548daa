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
import { isEmbedded } from '../domain/vex-documents';
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
        const present = byContent(stored);
        const wanted = byContent(decisions);
        const gone = [...present].flatMap(([content, one]) => (wanted.has(content) ? [] : one));
        const fresh = [...wanted].flatMap(([content, one]) => (present.has(content) ? [] : one));
        const renewed = [...present].flatMap(([content, one]) => {
          const now = wanted.get(content);
          return now && partOf(now) !== partOf(one) ? [{ one, now }] : [];
        });
        // A newer version of the document alone changes no status.
        const changedParts = renewed.flatMap(({ one, now }) =>
          effectOf(now) === effectOf(one) ? [] : [one],
        );
        if (gone.length > 0)
          await acceptances.deleteMany({ _id: { $in: gone.map(({ _id }) => _id) } }, { session });
        if (fresh.length > 0) await acceptances.insertMany(fresh, { session });
        if (renewed.length > 0) await acceptances.bulkWrite(renewed.map(renewal), { session });
        const changes = [...gone, ...fresh, ...changedParts];
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
function renewedPart(one: AcceptanceDocument) {
  const { packages, source_document, vex_id, decided_at } = one;
  return { packages, source_document, vex_id, decided_at };
}

function partOf(one: AcceptanceDocument): string {
  return JSON.stringify(renewedPart(one));
}

/** What of it may change a status. */
function effectOf({ packages, decided_at }: AcceptanceDocument): string {
  return JSON.stringify([packages, decided_at]);
}

function renewal({ one, now }: { one: AcceptanceDocument; now: AcceptanceDocument }) {
  const { packages, ...part } = renewedPart(now);
  const update = packages
    ? { $set: { ...part, packages } }
    : { $set: part, $unset: { packages: 1 as const } };
  return { updateOne: { filter: { _id: one._id }, update } };
}

/** Decisions by what makes two of them the same; those that an SBOM makes twice, by their place too. */
function byContent(decisions: readonly AcceptanceDocument[]): Map<string, AcceptanceDocument> {
  const counts = new Map<string, number>();
  return new Map(
    decisions.map((one) => {
      const content = contentOf(one);
      const count = counts.get(content) ?? 0;
      counts.set(content, count + 1);
      return [`${content}${count}`, one];
    }),
  );
}

/**
 * What makes two decisions of documents the same. A statement makes one in each service, which keeps its id and times
 * whatever it covers there, and one in an SBOM as long as the next SBOM says the same of that package: else timeline and
 * statistics showed it as made with the last upload.
 */
function contentOf(one: AcceptanceDocument): string {
  const { vex_id = '', source_document, decision, justification, reason, detail, identity } = one;
  const place = isEmbedded(vex_id)
    ? one.packages?.map(({ package_key }) => package_key).sort()
    : [vex_id, source_document?.statement, one.decided_at];
  return JSON.stringify([place, decision, justification, reason, detail, identity]);
}
