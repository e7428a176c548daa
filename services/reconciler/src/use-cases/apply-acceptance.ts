import type { AcceptanceDocument } from '../store/documents';
import { changeLine, disposeAgain, type ChangeLineDeps } from './change-line';

/** Brings the rows that an acceptance stands for to its present state: given, taken back or expired. */
export function applyAcceptance(
  deps: ChangeLineDeps,
  acceptance: AcceptanceDocument,
): Promise<void> {
  return applyAcceptances(deps, acceptance.project_id, [acceptance]);
}

/** The same for several of one project at once: each line is looked at once. */
export async function applyAcceptances(
  deps: ChangeLineDeps,
  project_id: string,
  acceptances: readonly AcceptanceDocument[],
): Promise<void> {
  const identity = [...new Set(acceptances.flatMap((acceptance) => acceptance.identity))];
  const services = new Set(acceptances.map(({ service_id }) => service_id));
  const lines = await deps.ledgers.linesWith(project_id, identity);
  for (const line_id of lines) {
    if (!services.has(null) && !services.has(line_id)) continue;
    await changeLine(deps, { line_id, project_id }, disposeAgain);
  }
  await deps.acceptances.settle(acceptances);
}
