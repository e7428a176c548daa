import { allProjects, type AcceptanceDocument } from '../tracking/store/documents';
import { changeService } from '../tracking/change-service';
import { onlyAcceptances } from '../tracking/plan';
import type { ChangeDeps } from '../tracking/stored-service';
import type { ServiceStateStore } from '../tracking/store/service-state-store';
import type { AcceptanceStore } from './ports';
import type { Service } from '../tracking/domain/types';
import { inParallel } from '../tracking/in-parallel';

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
  const isWide = acceptances.some(({ services, rule }) => services === null && !rule);
  const named = new Set(acceptances.flatMap(({ services }) => services ?? []));
  const scope = project_id === allProjects ? undefined : project_id;
  const found = await deps.states.presentWith(scope, identity);
  // Each service once; one that rules select in all its packages.
  const concerned: Concerned[] = [
    ...found.filter(({ service_id }) => isWide || named.has(service_id)),
    ...(await selectedServices(deps, acceptances)),
  ];
  const services = [...new Map(concerned.map((one) => [one.service_id, one])).values()];
  // Processes that do the same work at once start at different services and share it.
  const begin = Math.floor(Math.random() * services.length);
  const inTurn = [...services.slice(begin), ...services.slice(0, begin)];
  await inParallel(inTurn, servicesAtOnce, ({ packages, ...service }) =>
    changeService(deps.batched, service, onlyAcceptances(packages?.sort())),
  );
  await deps.acceptances.finish(acceptances);
}

/** A service to be changed, in some packages (undefined: all). */
interface Concerned extends Service {
  packages?: string[] | undefined;
}

/** The services that standing rules may decide something in. */
async function selectedServices(
  { states }: Pick<ApplyAcceptanceDeps, 'states'>,
  acceptances: readonly AcceptanceDocument[],
): Promise<Concerned[]> {
  const rules = acceptances.filter(({ rule }) => rule);
  const found = rules.map(async ({ project_id, services, left = [] }) => {
    const present = await states.presentIn(
      project_id,
      services ? [...services, ...left] : undefined,
    );
    return present.map((service_id): Concerned => ({ service_id, project_id }));
  });
  return (await Promise.all(found)).flat();
}
