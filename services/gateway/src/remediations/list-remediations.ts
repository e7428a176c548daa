import type { components } from '@bomtrail/api-contract';
import * as messages from '@bomtrail/messages';
import { unpackJson, type Request } from '@bomtrail/messaging';
import { addDirectDependencies } from './add-direct-dependencies';
import { narrowed, type Caller } from '../api-keys/domain/caller';
import type { PageRequest } from '../shared/page-envelope';
import { inBoth, ownedServices, type OwnedOrNot } from '../projects/owned-services';
import { publicService } from '../shared/public-service';

type Schemas = components['schemas'];

export interface ListRemediationsDeps {
  request: Request;
  /** Advisory data status. */
  advisoryData: () => Promise<messages.AdvisoryData>;
}

export type RemediationQuery = PageRequest &
  OwnedOrNot & { project_id?: string; service_id?: string[] };

type Plan = Omit<Schemas['RemediationPage'], 'page' | 'per_page' | 'total_pages' | 'has_more'>;

/** Services per request for names. */
const namesPerRequest = 200;

/**
 * One page of the upgrade plan, with names of the catalog. @throws AppError `service_unavailable`
 */
export async function listRemediations(
  deps: ListRemediationsDeps,
  caller: Caller,
  requested: RemediationQuery,
): Promise<Plan> {
  const scope = narrowed(caller, requested.project_id);
  const advisory_data = await deps.advisoryData();
  if (scope === 'nothing') return { ...nothing(), advisory_data };
  const { service_id: named, owner, has_owner, label, ...query } = requested;
  const owned = await ownedServices(deps, { owner, has_owner, label }, scope.projectId);
  const service_ids = inBoth(named, owned);
  if (owned && service_ids?.length === 0) return { ...nothing(), advisory_data };
  const { body, attachment } = await deps.request(messages.planRemediations, {
    ...query,
    ...(service_ids && { service_ids }),
    project_id: scope.projectId,
  });
  const views = (await unpackJson(attachment ?? Buffer.alloc(0))) as messages.RemediationView[];
  const items = await addDirectDependencies(deps, await withNames(deps, views));
  return { ...body, items, advisory_data };
}

/** Adds names of the catalog; services that were deleted meanwhile are omitted. */
async function withNames(
  deps: { request: Request },
  views: readonly messages.RemediationView[],
): Promise<Omit<Schemas['Remediation'], 'direct_dependencies'>[]> {
  const names = await namesOf(
    deps,
    views.flatMap(({ services }) => services.map(({ service_id }) => service_id)),
  );
  return views.map((view) => ({
    ...view,
    services: view.services.flatMap(({ service_id, ...service }) => {
      const named = names.get(service_id);
      if (!named) return [];
      return [{ ...service, project_name: named.project_name, ...publicService(named) }];
    }),
  }));
}

async function namesOf(
  { request }: { request: Request },
  serviceIds: readonly string[],
): Promise<Map<string, messages.ServiceNames>> {
  const ids = [...new Set(serviceIds)];
  const names = new Map<string, messages.ServiceNames>();
  for (let at = 0; at < ids.length; at += namesPerRequest) {
    const page = ids.slice(at, at + namesPerRequest);
    const { body } = await request(messages.nameServices, { service_ids: page });
    for (const service of body) names.set(service.service_id, service);
  }
  return names;
}

function nothing(): Omit<Plan, 'advisory_data'> {
  return { items: [], total: 0, complete: true, closes: emptySum(), remains: emptySum() };
}

function emptySum(): messages.VulnerabilitySum {
  const counts = { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 0 };
  return { total: 0, counts, kev: 0, max_epss: null, risk: 0, ids: [] };
}
