import type { AcceptanceDocument } from '../store/documents';
import { changeService } from './change-service';
import { reassignStatuses, type ChangeServiceDeps, type ServiceDeps } from './change-once';

/** Lines in hand at once: as many as are read and written together. */
const servicesAtOnce = 64;

export interface ApplyAcceptanceDeps extends ChangeServiceDeps {
  /** What changes many lines that change alike. */
  batched: ServiceDeps;
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
  const scopes = new Set(acceptances.map(({ service_id }) => service_id));
  const found = await deps.states.presentWith(project_id, identity);
  const services = found.filter(({ service_id }) => scopes.has(null) || scopes.has(service_id));
  // Processes that do the same at the same moment begin at different lines and share the work.
  const begin = Math.floor(Math.random() * services.length);
  const left = [...services.slice(begin), ...services.slice(0, begin)].values();
  const { batched } = deps;
  async function work(): Promise<void> {
    for (const { service_id, packages } of left) {
      await changeService(
        batched,
        { service_id, project_id, packages: packages.sort() },
        reassignStatuses,
      );
    }
  }
  await Promise.all(Array.from({ length: servicesAtOnce }, work));
  await deps.acceptances.finish(acceptances);
}
