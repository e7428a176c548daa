import { changeService } from '../tracking/change-service';
import { onlyAcceptances } from '../tracking/plan';
import type { ChangeDeps } from '../tracking/stored-service';
import { conflictsIn, haveAliasesChanged } from './conflicts-in-service';
import type { MatchedStatements } from './domain/matched-statements';
import { maxSuggestions } from './embedded-vex';
import { matchSbom, type MatchSbomDeps } from './match-sbom';
import {
  vexRules,
  type StoredSuggestion,
  type VexEvaluation,
  type VexEvaluationStore,
} from './ports';
import { decisionsBy } from './vex-decisions';
import type { Service } from '../tracking/domain/types';

export interface SyncServiceDeps extends MatchSbomDeps {
  vexEvaluations: VexEvaluationStore;
}

/**
 * Makes the decisions that stored documents make about one SBOM of a service, unless they are made. The vulnerabilities
 * do not reflect them yet. After an interruption, repeating it completes the work.
 *
 * @returns the ids of vulnerabilities whose decisions changed
 * @throws AppError of ingest and catalog, except for an SBOM that was deleted
 */
export async function decideService(
  deps: SyncServiceDeps,
  service: Service,
  sbomId: string,
): Promise<string[]> {
  for (;;) {
    const [revision = 0] = await deps.vexDocuments.revisionsOf([service.project_id]);
    const known = await deps.vexEvaluations.evaluationOf(service.service_id);
    if (revision === 0 && !known) return [];
    const isOfSbom = known?.sbom_id === sbomId && known.revision === revision;
    if (isOfSbom && (await isCurrent(deps, service, known))) return [];
    const matched = await matchSbom(deps, service, sbomId);
    if (!matched) return [];
    const { applied, suggested } = matched;
    const evaluation = {
      sbom_id: sbomId,
      revision,
      rules: vexRules,
      applied: false,
      results: matched.results,
      ...(await conflictsIn(deps, service, applied)),
      ...(suggested && { suggestions: suggestionsOf(suggested, service) }),
    };
    const changed = await deps.vexEvaluations.replace(
      service,
      evaluation,
      decisionsBy(applied, service),
    );
    if (changed !== null) return changed;
    const [now] = await deps.vexDocuments.revisionsOf([service.project_id]);
    // The service or its project was deleted.
    if (now === revision) return [];
  }
}

/** Whether an evaluation is by the present rules and aliases. */
async function isCurrent(
  deps: SyncServiceDeps,
  { service_id }: Service,
  known: VexEvaluation,
): Promise<boolean> {
  return known.rules === vexRules && !(await haveAliasesChanged(deps, service_id, known));
}

/** The same with the vulnerabilities of the service. */
export async function syncService(
  deps: SyncServiceDeps & { batched: ChangeDeps },
  service: Service,
  sbomId: string,
): Promise<void> {
  await decideService(deps, service, sbomId);
  const evaluation = await deps.vexEvaluations.evaluationOf(service.service_id);
  if (!evaluation || evaluation.applied) return;
  await changeService(deps.batched, service, onlyAcceptances());
  await deps.vexEvaluations.markApplied(service.service_id, evaluation);
}

/** What an SBOM suggests, as decisions that are not made. */
function suggestionsOf(suggested: MatchedStatements, service: Service): StoredSuggestion[] {
  return decisionsBy(suggested, service)
    .slice(0, maxSuggestions)
    .map((made) => {
      const { decision, justification, reason, identity, packages, source_document } = made;
      const source = source_document ?? { id: '', version: null, statement: null };
      const said = { decision, justification, reason, identity, source_document: source };
      return { ...said, ...(packages && { packages }) };
    });
}
