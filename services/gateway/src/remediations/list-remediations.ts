import type { components } from '@bomtrail/api-contract';
import * as messages from '@bomtrail/messages';
import { unpackJson } from '@bomtrail/messaging';
import { addDirectDependencies } from './add-direct-dependencies';
import { narrowed, type Caller } from '../api-keys/domain/caller';
import type { PageRequest } from '../shared/page-envelope';
import type { NamingDeps } from '../projects/service-names';
import { inBoth, ownedServices, type OwnedOrNot } from '../projects/owned-services';
import { publicService } from '../shared/public-service';

type Schemas = components['schemas'];

export interface ListRemediationsDeps extends NamingDeps {
  /** Advisory data status. */
  advisoryData: () => Promise<messages.AdvisoryData>;
}

export type RemediationQuery = PageRequest &
  OwnedOrNot & { project_id?: string; service_id?: string[] };

type Plan = Omit<Schemas['RemediationPage'], 'page' | 'per_page' | 'total_pages' | 'has_more'>;

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
  const { service_id: given, owner, has_owner, label, ...query } = requested;
  const owned = await ownedServices(deps, { owner, has_owner, label }, scope.projectId);
  const service_ids = inBoth(given, owned);
  if (owned && service_ids?.length === 0) return { ...nothing(), advisory_data };
  const named = deps.nameServices();
  const { body, attachment } = await deps.request(messages.planRemediations, {
    ...query,
    ...(service_ids && { service_ids }),
    project_id: scope.projectId,
  });
  const views = (await unpackJson(attachment ?? Buffer.alloc(0))) as messages.RemediationView[];
  const names = await named(views.flatMap(({ services }) => services));
  const items = await addDirectDependencies(deps, withNames(views, names));
  return { ...body, items, advisory_data };
}

/** Adds names of the catalog; services that were deleted meanwhile are omitted. */
function withNames(
  views: readonly messages.RemediationView[],
  names: ReadonlyMap<string, messages.ServiceNames>,
): Omit<Schemas['Remediation'], 'direct_dependencies'>[] {
  return views.map((view) => ({
    ...view,
    services: view.services.flatMap(({ service_id, ...service }) => {
      const named = names.get(service_id);
      if (!named) return [];
      return [{ ...service, project_name: named.project_name, ...publicService(named) }];
    }),
  }));
}

function nothing(): Omit<Plan, 'advisory_data'> {
  return { items: [], total: 0, complete: true, closes: emptySum(), remains: emptySum() };
}

function emptySum(): messages.VulnerabilitySum {
  const counts = { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 0 };
  return { total: 0, counts, kev: 0, max_epss: null, risk: 0, ids: [] };
}
