import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, bodyOf, type Schemas } from '../../api/client';
import { ApiError } from '../../api/errors';
import { text } from '../../text/en';
import { vulnerabilitiesKey } from '../findings/findings-queries';
import type { Newest, Unread } from './nothing-open';
import type { ProjectsSearch } from './projects-search';

export const projectsKey = ['projects'] as const;

/** A page of projects, newest first, narrowed to a part of the name, an owner, labels. */
export function projectsPage({ page, ...by }: ProjectsSearch) {
  const query = { page: Number(page ?? 1), per_page: 50, ...by };
  return queryOptions({
    queryKey: [...projectsKey, 'page', query],
    queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/projects', { params: { query }, signal })),
  });
}

/** Pages of 200 projects that a choice offers; more would be no choice any more. */
const mostChoicePages = 10;

/**
 * The projects that a choice offers: the 2,000 newest of those whose name contains these words. `isCut`: there
 * are others.
 */
export function projectChoices(name = '') {
  return queryOptions({
    queryKey: [...projectsKey, 'choices', name],
    queryFn: async ({ signal }) => {
      const items: Schemas['ProjectResponse'][] = [];
      let isMore = true;
      for (let page = 1; isMore && page <= mostChoicePages; page += 1) {
        const query = { per_page: 200, page, ...(name === '' ? {} : { name }) };
        const read = await bodyOf(api.GET('/api/v1/projects', { params: { query }, signal }));
        items.push(...read.items);
        isMore = page < read.total_pages;
      }
      return { items, isCut: isMore };
    },
    staleTime: 60_000,
  });
}

/** @throws ApiError 404 if no project has the slug */
export function projectBySlug(slug: string) {
  return queryOptions({
    queryKey: [...projectsKey, 'slug', slug],
    queryFn: async ({ signal }) => {
      const found = await bodyOf(
        api.GET('/api/v1/projects', { params: { query: { slug } }, signal }),
      );
      const project = found.items[0];
      if (project) return project;
      throw new ApiError(text.projects.unknown(slug), { status: 404, code: 'project_not_found' });
    },
  });
}

export function projectById(id: string) {
  return queryOptions({
    queryKey: [...projectsKey, 'id', id],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/v1/projects/{project_id}', { params: { path: { project_id: id } }, signal }),
      ),
  });
}

/** A project that a view names; undefined until it is known, and if the caller does not see it. */
export function useNamedProject(id: string | undefined): Schemas['ProjectResponse'] | undefined {
  const choices = useQuery(projectChoices());
  const offered = choices.data?.items.find((one) => one.id === id);
  // Among all projects it is not: it was deleted, or is somebody else's.
  const isElsewhere = choices.data ? choices.data.isCut : choices.isError;
  const enabled = id !== undefined && !offered && isElsewhere;
  const alone = useQuery({ ...projectById(id ?? ''), enabled, staleTime: 60_000 });
  return offered ?? alone.data;
}

export function serviceChoices(projectId: string) {
  return queryOptions({
    queryKey: [...projectsKey, 'services', projectId],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/api/v1/services', { params: { query: { project_id: projectId } }, signal })),
    staleTime: 60_000,
  });
}

export function projectHistory(projectId: string, page: number) {
  return queryOptions({
    queryKey: [...projectsKey, 'history', projectId, page],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/v1/projects/{project_id}/history', {
          params: { path: { project_id: projectId }, query: { page, per_page: 25 } },
          signal,
        }),
      ),
  });
}

/** Pages of 200 SBOMs among which the newest one without a service is looked for. */
const mostHistoryPages = 10;

/** The newest SBOM of the project itself, which no list of services has; null: there is none. */
export function newestWithoutService(projectId: string) {
  return queryOptions({
    queryKey: [...projectsKey, 'history', projectId, 'without-service'],
    queryFn: async ({ signal }): Promise<Newest | Unread | null> => {
      const path = { project_id: projectId };
      for (let page = 1; page <= mostHistoryPages; page += 1) {
        // Most projects have such an SBOM among the first, or few SBOMs.
        const query = page === 1 ? { page, per_page: 25 } : { page: page - 1, per_page: 200 };
        const read = await bodyOf(
          api.GET('/api/v1/projects/{project_id}/history', { params: { path, query }, signal }),
        );
        const found = read.items.find(({ service_id }) => !service_id);
        if (found) return found;
        if (query.page >= read.total_pages) return null;
      }
      return 'unread';
    },
  });
}

export interface OpenByProject {
  of: ReadonlyMap<string, Schemas['SeverityCounts']>;
  /** Whether a project that is not among these has nothing open. */
  all: boolean;
  data: Schemas['AdvisoryData'];
}

/** What is open in each project, for the 200 that need it most. */
export function openByProject() {
  const query = { group_by: 'project', per_page: 200 } as const;
  return queryOptions({
    queryKey: [...vulnerabilitiesKey, 'by-project'],
    queryFn: async ({ signal }): Promise<OpenByProject> => {
      const { items, has_more, advisory_data } = await bodyOf(
        api.GET('/api/v1/vulnerabilities/groups', { params: { query }, signal }),
      );
      const of = new Map(items.map(({ project_id, counts }) => [project_id ?? '', counts]));
      return { of, all: !has_more, data: advisory_data };
    },
  });
}
