import type { AcceptanceDocument } from '../store/documents';
import { changeLine } from './change-line';
import { disposeAgain, type ChangeLineDeps, type LineDeps } from './change-once';

/** Lines in hand at once: as many as are read and written together. */
const linesAtOnce = 64;

export interface ApplyAcceptanceDeps extends ChangeLineDeps {
  /** What changes many lines that change alike. */
  together: LineDeps;
}

/**
 * Brings the rows that an acceptance stands for to its present state: given, taken back or expired.
 * Where it ends half-way, whoever repeats it does the rest: lines that are right cost a look.
 */
export function applyAcceptance(
  deps: ApplyAcceptanceDeps,
  acceptance: AcceptanceDocument,
): Promise<void> {
  return applyAcceptances(deps, acceptance.project_id, [acceptance]);
}

/** The same for several of one project at once: each line is changed once. */
export async function applyAcceptances(
  deps: ApplyAcceptanceDeps,
  project_id: string,
  acceptances: readonly AcceptanceDocument[],
): Promise<void> {
  const identity = [...new Set(acceptances.flatMap((acceptance) => acceptance.identity))];
  const services = new Set(acceptances.map(({ service_id }) => service_id));
  const found = await deps.ledgers.presentWith(project_id, identity);
  const lines = found.filter(({ service_id }) => services.has(null) || services.has(service_id));
  // Processes that do the same at the same moment begin at different lines and share the work.
  const begin = Math.floor(Math.random() * lines.length);
  const left = [...lines.slice(begin), ...lines.slice(0, begin)].values();
  const { together } = deps;
  async function work(): Promise<void> {
    for (const { service_id, packages } of left) {
      await changeLine(
        together,
        { service_id, project_id, packages: packages.sort() },
        disposeAgain,
      );
    }
  }
  await Promise.all(Array.from({ length: linesAtOnce }, work));
  await deps.acceptances.settle(acceptances);
}
