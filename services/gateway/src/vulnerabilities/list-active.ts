import type { components } from '@bomtrail/api-contract';
import * as messages from '@bomtrail/messages';
import type { Request } from '@bomtrail/messaging';
import { publicService, type PublicService } from '../shared/public-service';
import { inBoth, ownedServices, type OwnedOrNot } from '../projects/owned-services';
import type { NamingDeps, ServiceToName } from '../projects/service-names';
import { overdueFilter } from './overdue-filter';
import { narrowed, type Caller } from '../api-keys/domain/caller';
import type { PageRequest } from '../shared/page-envelope';

type Vulnerability = components['schemas']['Vulnerability'];

/** What the catalog knows about the service of a vulnerability. */
type ServiceNames = Pick<messages.ServiceNames, 'project_name'> &
  PublicService & {
    owner: string | null;
    due_at: string | null;
    reporting_deadlines: messages.ReportingDeadlines | null;
  };

export interface ListActiveDeps extends NamingDeps {
  /** Advisory data status. */
  advisoryData: () => Promise<messages.AdvisoryData>;
}

/** Filters as clients send them: several services are one list, and `overdue` is yes or no. */
export type ActiveFilters = Omit<
  messages.ListFilters,
  'project_id' | 'service_id' | 'service_ids' | 'overdue'
> & {
  project_id?: string | undefined;
  service_id?: string[];
  overdue?: boolean;
} & OwnedOrNot;

/**
 * The filters of a caller as the reconciler takes them; `nothing`: no project of theirs.
 *
 * @throws ValidationError if an owner or label selects too many services; AppError `service_unavailable`
 */
export async function filtersOf<Requested extends ActiveFilters>(
  deps: { request: Request },
  caller: Caller,
  given: Requested,
): Promise<
  | (Omit<Requested, 'project_id' | 'service_id' | 'overdue' | 'owner' | 'has_owner' | 'label'> &
      messages.ListFilters)
  | 'nothing'
> {
  const {
    service_id: named,
    overdue: isOverdue,
    project_id,
    owner,
    has_owner,
    label,
    ...requested
  } = given;
  const scope = narrowed(caller, project_id);
  if (scope === 'nothing') return scope;
  const owned = await ownedServices(deps, { owner, has_owner, label }, scope.projectId);
  const services = inBoth(named, owned);
  // An empty list names nothing that exists; no list names everything.
  if (owned && services?.length === 0) return 'nothing';
  const overdue = await overdueFilter(deps, isOverdue, scope.projectId);
  const [only] = services ?? [];
  const several =
    services && services.length > 1 ? { service_ids: services } : { service_id: only };
  const of = only === undefined ? {} : several;
  return { ...requested, ...of, ...(overdue && { overdue }), project_id: scope.projectId };
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
  const query = await filtersOf(deps, caller, requested);
  if (query === 'nothing') return { items: [], total: 0, advisory_data: await deps.advisoryData() };
  const named = deps.nameServices(onlyServiceOf(query));
  const [{ body: found }, advisory_data] = await Promise.all([
    deps.request(messages.listActive, query),
    deps.advisoryData(),
  ]);
  return {
    items: withNames(found.items, await named(found.items)),
    total: found.total,
    advisory_data,
  };
}

/** The service that a list is limited to, if it is one: its names are read beside the list. */
export function onlyServiceOf({ service_id }: messages.ListFilters): ServiceToName[] {
  return service_id === undefined ? [] : [{ service_id }];
}

/**
 * Counts exactly the vulnerabilities of `listActive` with the same filters. @throws AppError
 * `service_unavailable`
 */
export async function summariseActive(
  deps: ListActiveDeps,
  caller: Caller,
  requested: ActiveFilters,
): Promise<Record<messages.Severity | 'total', number> & AdvisoryState> {
  const query = await filtersOf(deps, caller, requested);
  const [counts, advisory_data] = await Promise.all([
    query === 'nothing'
      ? noCounts()
      : deps.request(messages.summariseActive, query).then(({ body }) => body),
    deps.advisoryData(),
  ]);
  return { ...counts, advisory_data };
}

/** Adds names of the catalog to the views themselves; those of services deleted meanwhile are omitted. */
export function withNames<View extends messages.VulnerabilityView>(
  views: readonly View[],
  names: ReadonlyMap<string, messages.ServiceNames>,
): (Omit<View, 'service_id'> & ServiceNames)[] {
  return views.flatMap((view) => {
    const service = names.get(view.service_id);
    // The service was deleted since the list was read.
    if (!service) return [];
    const due_at = messages.dueAt(view, service.service_levels);
    const reporting_deadlines = service.ships_products ? messages.reportingDeadlines(view) : null;
    const { project_name, owner = null } = service;
    const of = { due_at, reporting_deadlines, project_name, ...publicService(service), owner };
    // In place: V8 of Node.js 20 takes a hundred times as long for a copy with more fields.
    return [Object.assign(view, of)];
  });
}

function noCounts(): Record<messages.Severity | 'total', number> {
  return { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 0, total: 0 };
}
