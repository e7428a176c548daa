import {
  listAllServices,
  maxServicesListed,
  nameServices,
  type ServiceNames,
} from '@bomtrail/messages';
import type { VerifyServiceDeps } from './verify-service';
import type { Service } from '../tracking/domain/types';

const servicesPerPage = maxServicesListed;

/** The services to check: all, those of a project, or one. */
export interface Scope {
  project_id?: string | undefined;
  service_id?: string | undefined;
}

/** A service with its names in the catalog; null if the catalog does not have it. */
export interface NamedService extends Service {
  names: ServiceNames | null;
}

/**
 * All services of the catalog or the reconciler, by id. Without a project filter this includes services of
 * which only vulnerabilities or SBOM versions are left.
 */
export async function* pagesOfServices(
  deps: VerifyServiceDeps,
  scope: Scope,
): AsyncGenerator<NamedService[]> {
  if (scope.service_id !== undefined) {
    yield await oneService(deps, scope.service_id);
    return;
  }
  let after: string | null = null;
  do {
    const page: Page = await readPage(deps, scope.project_id, after);
    yield page.services;
    after = page.end;
  } while (after !== null);
}

/** Empty if neither the catalog nor the reconciler has it. */
async function oneService(
  { request, checks }: VerifyServiceDeps,
  service_id: string,
): Promise<NamedService[]> {
  const [names = null] = (await request(nameServices, { service_ids: [service_id] })).body;
  const project_id = names?.project_id ?? (await checks.projectOf(service_id));
  return project_id === null ? [] : [{ service_id, project_id, names }];
}

interface Page {
  services: NamedService[];
  /** The last id of the page; null at the end. */
  end: string | null;
}

async function readPage(
  { request, checks }: VerifyServiceDeps,
  project_id: string | undefined,
  after: string | null,
): Promise<Page> {
  const { body } = await request(listAllServices, { project_id, after, limit: servicesPerPage });
  const states = await checks.statesAfter({ project_id, after }, servicesPerPage);
  const ends = [body.next ?? [], states.length < servicesPerPage ? [] : (states.at(-1)?._id ?? [])];
  const end = ends.flat().sort()[0] ?? null;
  const found = new Map<string, NamedService>();
  for (const { _id, project_id: project } of states) {
    found.set(_id, { service_id: _id, project_id: project, names: null });
  }
  for (const names of body.services) {
    const { service_id, project_id: project } = names;
    found.set(service_id, { service_id, project_id: project, names });
  }
  const others = project_id === undefined ? await checks.servicesWithAnything(after, end) : [];
  for (const service_id of others) {
    if (found.has(service_id)) continue;
    const project = (await checks.projectOf(service_id)) ?? '';
    found.set(service_id, { service_id, project_id: project, names: null });
  }
  const services = [...found.values()].filter(
    ({ service_id }) => end === null || service_id <= end,
  );
  return { services, end };
}
