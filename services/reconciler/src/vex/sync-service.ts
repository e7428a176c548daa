import { createHash } from 'node:crypto';
import { changeService } from '../tracking/change-service';
import { onlyAcceptances } from '../tracking/plan';
import type { ChangeDeps } from '../tracking/stored-service';
import type { MatchedStatements } from './domain/vex-documents';
import { maxSuggestions } from './embedded-vex';
import { matchSbom, type MatchSbomDeps } from './match-sbom';
import {
  type ComparedIds,
  type StoredSuggestion,
  type VexEvaluation,
  type VexEvaluationStore,
  vexRules,
} from './ports';
import { decisionsBy } from './vex-decisions';
import type { Service } from '../tracking/domain/types';
import { conflictsOf, idsToCompare, type VexConflict } from './domain/vex-conflicts';

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
    const revision = await deps.vexDocuments.revisionOf(service.project_id);
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
    // The service or its project was deleted.
    if ((await deps.vexDocuments.revisionOf(service.project_id)) === revision) return [];
  }
}

/** Whether an evaluation is by the present rules and aliases. */
async function isCurrent(
  { vexEvaluations }: SyncServiceDeps,
  { service_id }: Service,
  { rules, compared }: VexEvaluation,
): Promise<boolean> {
  if (rules !== vexRules) return false;
  if (!compared) return true;
  return hashOf(await vexEvaluations.aliasGroups(service_id, compared.ids)) === compared.groups;
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

/** The conflicts of documents about a service by its present aliases, and what else makes them disagree. */
async function conflictsIn(
  { vexEvaluations }: SyncServiceDeps,
  { service_id }: Service,
  { statements, matches }: MatchedStatements,
): Promise<{ conflicts?: VexConflict[]; compared?: ComparedIds }> {
  const ids = idsToCompare(statements, matches);
  const groups = ids.length === 0 ? [] : await vexEvaluations.aliasGroups(service_id, ids);
  const conflicts = conflictsOf(statements, matches, groups);
  return {
    ...(conflicts.length > 0 && { conflicts }),
    ...(ids.length > 0 && { compared: { ids, groups: hashOf(groups) } }),
  };
}

function hashOf(groups: readonly (readonly string[])[]): string {
  return createHash('sha256').update(JSON.stringify(groups)).digest('base64');
}
