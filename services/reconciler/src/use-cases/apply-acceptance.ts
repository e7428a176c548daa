import type { AcceptanceDocument } from '../store/documents';
import { changeLine, disposeAgain, type ChangeLineDeps } from './change-line';

/** Brings the rows that an acceptance stands for to its present state: given, taken back or expired. */
export async function applyAcceptance(
  deps: ChangeLineDeps,
  acceptance: AcceptanceDocument,
): Promise<void> {
  const { project_id, service_id, identity } = acceptance;
  const lines = await deps.ledgers.linesWith(project_id, identity);
  for (const line_id of lines) {
    if (service_id !== null && line_id !== service_id) continue;
    await changeLine(deps, { line_id, project_id }, disposeAgain);
  }
  await deps.acceptances.settle(acceptance);
}
