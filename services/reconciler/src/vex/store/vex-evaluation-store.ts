import type { Database } from '@bomtrail/mongo';
import { presentStatuses } from '../../tracking/domain/decisions';
import { ownNames } from '../../tracking/domain/vulnerability-names';
import type { DetailsDocument, TrackedVulnerabilityDocument } from '../../tracking/store/documents';
import type { VexConflict } from '../domain/vex-conflicts';
import { vexRules, type VexEvaluationStore } from '../ports';
import { createDecisionsOfDocuments } from './decisions-of-documents';
import type { EvaluationDocument } from './evaluation-document';
import { inScope } from './in-scope';
import { createPendingEvaluations } from './pending-evaluations';

type NamedDetails = Pick<DetailsDocument, '_id' | 'aliases' | 'upstream'>;

/** What documents decided about services. */
export function createVexEvaluationStore(database: Database): VexEvaluationStore {
  const { db } = database;
  const evaluations = db.collection<EvaluationDocument>('vex_evaluations');
  const vulnerabilities = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');
  const details = db.collection<DetailsDocument>('vulnerability_details');

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
      const naming = await details
        .find({ alias_keys: { $in: [...ids] } })
        .project<NamedDetails>({ aliases: 1, upstream: 1 })
        .map((one) => ({ _id: one._id, ids: ownNames(one) }))
        .toArray();
      const several = naming.filter((one) => one.ids.filter((id) => asked.has(id)).length > 1);
      if (several.length === 0) return [];
      const present = await vulnerabilities.distinct('details_id', {
        service_id,
        details_id: { $in: several.map(({ _id }) => _id) },
        status: { $in: [...presentStatuses] },
      });
      const used = new Set<unknown>(present);
      const groups = several.filter(({ _id }) => used.has(_id));
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
      const naming = await details
        .find({ alias_keys: { $in: [...ids] } })
        .project<NamedDetails>({ aliases: 1, upstream: 1 })
        .toArray();
      const present = await vulnerabilities.distinct('details_id', {
        details_id: { $in: naming.map(({ _id }) => _id) },
        status: { $in: [...presentStatuses] },
        ...inScope(within),
      });
      const used = new Set<unknown>(present);
      return new Set(naming.flatMap((one) => (used.has(one._id) ? ownNames(one) : [])));
    },
  };
}
