import type { AcceptanceDocument } from '../tracking/store/documents';
import { changeService } from '../tracking/change-service';
import { onlyAcceptances } from '../tracking/plan';
import type { ChangeDeps } from '../tracking/stored-service';
import type { ServiceStateStore } from '../tracking/store/service-state-store';
import type { AcceptanceStore } from './store/acceptance-store';

/** Services processed at once: as many as are read and written in one batch. */
const servicesAtOnce = 64;

export interface ApplyAcceptanceDeps extends ChangeDeps {
  states: ServiceStateStore;
  acceptances: AcceptanceStore;
  /** Dependencies that batch changes of many services. */
  batched: ChangeDeps;
}

/**
 * Applies the current state of an acceptance (created, revoked or expired) to its vulnerabilities.
 * Idempotent; after an interruption, repeating it completes the work.
 */
export function applyAcceptance(
  deps: ApplyAcceptanceDeps,
  acceptance: AcceptanceDocument,
): Promise<void> {
  return applyAcceptances(deps, acceptance.project_id, [acceptance]);
}

/** The same for several acceptances of a project; each service is changed once. */
export async function applyAcceptances(
  deps: ApplyAcceptanceDeps,
  project_id: string,
  acceptances: readonly AcceptanceDocument[],
): Promise<void> {
  const identity = [...new Set(acceptances.flatMap((acceptance) => acceptance.identity))];
  const scopes = new Set(acceptances.map(({ service_id }) => service_id));
  const found = await deps.states.presentWith(project_id, identity);
  const services = found.filter(({ service_id }) => scopes.has(null) || scopes.has(service_id));
  // Processes that do the same work at once start at different services and share it.
  const begin = Math.floor(Math.random() * services.length);
  const left = [...services.slice(begin), ...services.slice(0, begin)].values();
  const { batched } = deps;
  async function work(): Promise<void> {
    for (const { service_id, packages } of left) {
      const plan = onlyAcceptances(packages.sort());
      await changeService(batched, { service_id, project_id }, plan);
    }
  }
  await Promise.all(Array.from({ length: servicesAtOnce }, work));
  await deps.acceptances.finish(acceptances);
}
