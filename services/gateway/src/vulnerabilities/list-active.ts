import type { components } from '@bomtrail/api-contract';
import * as messages from '@bomtrail/messages';
import type { Request } from '@bomtrail/messaging';
import { publicService, type PublicService } from '../shared/public-service';
import { narrowed, type Caller } from '../api-keys/domain/caller';
import type { PageRequest } from '../shared/page-envelope';

type Vulnerability = components['schemas']['Vulnerability'];

type ServiceNames = Pick<messages.ServiceNames, 'project_name'> & PublicService;

export interface ListActiveDeps {
  request: Request;
  /** Advisory data status. */
  advisoryData: () => Promise<messages.AdvisoryData>;
}

export interface ActiveFilters {
  project_id?: string;
  service_id?: string;
  severity?: messages.Severity[];
  cve_id?: string;
}

export type Sorting = {
  sort: (typeof messages.vulnerabilitySorts)[number];
  order: 'asc' | 'desc';
};

type AdvisoryState = { advisory_data: messages.AdvisoryData };

/**
 * One page of active vulnerabilities, with names of the catalog. @throws AppError
 * `service_unavailable`
 */
export async function listActive(
  deps: ListActiveDeps,
  caller: Caller,
  requested: PageRequest & Sorting & ActiveFilters,
): Promise<messages.PageOf<Vulnerability> & AdvisoryState> {
  const scope = narrowed(caller, requested.project_id);
  const [found, advisory_data] = await Promise.all([
    scope === 'nothing'
      ? { items: [], total: 0 }
      : deps
          .request(messages.listActive, { ...requested, project_id: scope.projectId })
          .then(({ body }) => body),
    deps.advisoryData(),
  ]);
  return { items: await withNames(deps, found.items), total: found.total, advisory_data };
}

/**
 * Counts exactly the vulnerabilities of `listActive` in the same scope. @throws AppError
 * `service_unavailable`
 */
export async function summariseActive(
  deps: ListActiveDeps,
  caller: Caller,
  requested: Pick<ActiveFilters, 'project_id' | 'service_id'>,
): Promise<Record<messages.Severity | 'total', number> & AdvisoryState> {
  const scope = narrowed(caller, requested.project_id);
  const [counts, advisory_data] = await Promise.all([
    scope === 'nothing'
      ? noCounts()
      : deps
          .request(messages.summariseActive, {
            project_id: scope.projectId,
            service_id: requested.service_id,
          })
          .then(({ body }) => body),
    deps.advisoryData(),
  ]);
  return { ...counts, advisory_data };
}

/** Adds names of the catalog; vulnerabilities of services deleted meanwhile are omitted. */
export async function withNames<View extends messages.VulnerabilityView>(
  deps: { request: Request },
  views: View[],
): Promise<(Omit<View, 'service_id'> & ServiceNames)[]> {
  if (views.length === 0) return [];
  const serviceIds = [...new Set(views.map((view) => view.service_id))];
  const { body } = await deps.request(messages.nameServices, { service_ids: serviceIds });
  const names = new Map(body.map((service) => [service.service_id, service]));
  return views.flatMap(({ service_id, ...view }) => {
    const service = names.get(service_id);
    // The service was deleted since the list was read.
    if (!service) return [];
    return [{ ...view, project_name: service.project_name, ...publicService(service) }];
  });
}

function noCounts(): Record<messages.Severity | 'total', number> {
  return { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 0, total: 0 };
}
