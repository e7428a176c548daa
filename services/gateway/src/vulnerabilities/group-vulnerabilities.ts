import type { components } from '@bomtrail/api-contract';
import * as messages from '@bomtrail/messages';
import type { Caller } from '../api-keys/domain/caller';
import { namesOf, type NamingDeps } from '../projects/service-names';
import type { PageRequest } from '../shared/page-envelope';
import { publicService } from '../shared/public-service';
import { filtersOf, type ActiveFilters, type ListActiveDeps } from './list-active';

type Group = components['schemas']['VulnerabilityGroup'];

export type GroupRequest = PageRequest &
  ActiveFilters & { group_by: messages.Grouping; status: messages.VulnerabilityStatus[] };

/**
 * One page of groups, with names of the catalog. @throws AppError
 * `service_unavailable`
 */
export async function groupVulnerabilities(
  deps: ListActiveDeps,
  caller: Caller,
  requested: GroupRequest,
): Promise<messages.PageOf<Group> & { advisory_data: messages.AdvisoryData }> {
  const { status: statuses, ...others } = requested;
  const query = await filtersOf(deps, caller, others);
  if (query === 'nothing') return { items: [], total: 0, advisory_data: await deps.advisoryData() };
  const [{ body: found }, advisory_data] = await Promise.all([
    deps.request(messages.groupVulnerabilities, { ...query, statuses }),
    deps.advisoryData(),
  ]);
  return { items: await withGroupNames(deps, found.items), total: found.total, advisory_data };
}

/** Adds names of the catalog; groups that were deleted meanwhile are omitted. */
async function withGroupNames(
  deps: NamingDeps,
  groups: readonly messages.VulnerabilityGroup[],
): Promise<Group[]> {
  const ofServices = groups.flatMap(({ service_id }) => service_id ?? []);
  const projectIds = groups.flatMap(({ service_id, project_id }) =>
    service_id === null ? (project_id ?? []) : [],
  );
  const [services, projects] = await Promise.all([
    namesOf(deps, ofServices),
    projectIds.length === 0
      ? []
      : deps.request(messages.nameProjects, { project_ids: projectIds }).then(({ body }) => body),
  ]);
  const projectOf = new Map(projects.map((project) => [project.project_id, project]));
  return groups.flatMap((group): Group[] => {
    const { service_id, project_id } = group;
    if (service_id === null && project_id === null)
      return [{ ...group, project_name: null, service_name: null }];
    const service = services.get(service_id ?? '');
    const project = service ?? projectOf.get(project_id ?? '');
    if (!project) return [];
    const of = service ? publicService(service) : { service_id: null, service_name: null };
    return [{ ...group, project_name: project.project_name, ...of }];
  });
}
