import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, bodyOf, type Schemas } from '../../api/client';
import { text } from '../../text/en';
import { ecosystems } from './ecosystems';
import { vulnerabilitiesKey } from './findings-queries';
import { groupQueryOf, type FindingsSearch, type Grouping } from './findings-search';
import { groupWindowSize } from './windows';

export type Group = Schemas['VulnerabilityGroup'];

/** One window of the groups of a view; `page` counts from 1. */
export function groupsWindow(search: FindingsSearch, group: Grouping, page: number) {
  const query = { ...groupQueryOf(search, group), page, per_page: groupWindowSize };
  return queryOptions({
    queryKey: [...vulnerabilitiesKey, 'groups', query],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/api/v1/vulnerabilities/groups', { params: { query }, signal })),
    placeholderData: page === 1 ? keepPreviousData : undefined,
  });
}

/** What tells a group from the others of its grouping. */
export function keyOfGroup(group: Group): string {
  const { cve_id, package_name, ecosystem, project_id, service_id } = group;
  return JSON.stringify([cve_id, package_name, ecosystem, project_id, service_id]);
}

/** The name of a group, and what stands beside it. */
export function nameOfGroup(group: Group, by: Grouping): { name: string; beside: string | null } {
  switch (by) {
    case 'vulnerability':
      return { name: group.cve_id ?? '', beside: group.title };
    case 'package':
      return { name: group.package_name ?? '', beside: group.ecosystem };
    case 'service':
      return { name: group.service_name ?? text.common.projectLevel, beside: group.project_name };
    case 'project':
      return { name: group.project_name ?? '', beside: null };
  }
}

/**
 * The list with exactly the findings of a group. null: no filter says this (SBOMs of a project
 * without a service).
 */
export function searchOfGroup(
  search: FindingsSearch,
  group: Group,
  by: Grouping,
): FindingsSearch | null {
  const { group: _, finding: __, ...rest } = search;
  if (by === 'vulnerability') return group.cve_id ? { ...rest, cve_id: group.cve_id } : null;
  const { project_id, service_id } = group;
  if (by === 'project') return project_id ? { ...rest, project_id } : null;
  if (by === 'service')
    return project_id && service_id ? { ...rest, project_id, service_id } : null;
  const ecosystem = ecosystems.find((one) => one === group.ecosystem);
  if (!group.package_name) return null;
  return { ...rest, package_name: group.package_name, ...(ecosystem ? { ecosystem } : {}) };
}
