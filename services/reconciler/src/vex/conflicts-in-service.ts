import { createHash } from 'node:crypto';
import { conflictsOf, idsToCompare, type VexConflict } from './domain/vex-conflicts';
import type { MatchedStatements } from './domain/matched-statements';
import type { ComparedIds, VexEvaluation, VexEvaluationStore } from './ports';
import type { Service } from '../tracking/domain/types';

interface ConflictsDeps {
  vexEvaluations: Pick<VexEvaluationStore, 'aliasGroups'>;
}

/** The conflicts of documents about a service by its present aliases, and what else makes them disagree. */
export async function conflictsIn(
  { vexEvaluations }: ConflictsDeps,
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

/** Whether the aliases have changed by which the conflicts of a service were found. */
export async function haveAliasesChanged(
  { vexEvaluations }: ConflictsDeps,
  serviceId: string,
  { compared }: VexEvaluation,
): Promise<boolean> {
  if (!compared) return false;
  return hashOf(await vexEvaluations.aliasGroups(serviceId, compared.ids)) !== compared.groups;
}

function hashOf(groups: readonly (readonly string[])[]): string {
  return createHash('sha256').update(JSON.stringify(groups)).digest('base64');
}
