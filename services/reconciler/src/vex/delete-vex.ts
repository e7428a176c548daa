import { AppError, isInScope, type ProjectScope } from '@bomtrail/messages';
import { vulnerabilityIdsOf } from './domain/vex-documents';
import { applyToServices, servicesOf, type ImportVexDeps } from './import-vex';

/**
 * Withdraws a document: when this resolves, its decisions are gone from the lists. If the process ends, the sweep
 * completes the work.
 *
 * @param query `of_project`: only a document of those projects
 * @throws AppError `vex_not_found`
 */
export async function deleteVex(
  deps: ImportVexDeps,
  { vex_id, of_project }: { vex_id: string; of_project: ProjectScope | null },
): Promise<void> {
  const record = await deps.vexDocuments.byId(vex_id);
  if (!record || !isInScope(of_project, record.project_id)) throw new AppError('vex_not_found');
  const statements = (await deps.vexDocuments.statementsOf(vex_id)) ?? [];
  const services = await servicesOf(deps, record, vulnerabilityIdsOf(statements));
  if (!(await deps.vexDocuments.delete(record))) throw new AppError('vex_not_found');
  await applyToServices(deps, services);
}
