import { sendForCsv, sendForJson, type Target } from './http';
import { longestPage, type Project, type Schemas } from './types';

/** A page of a list. */
export interface Paging {
  page?: number;
  per_page?: number;
}

/** Filters by owner and labels; several labels, comma-separated. */
export interface OwnedBy {
  owner?: string;
  label?: string;
}

/** Projects and their services. */
export function projectCalls(target: Target) {
  return {
    createProject: (body: Schemas['ProjectCreate']): Promise<Project> =>
      sendForJson(target, { method: 'POST', path: '/api/v1/projects', body }, 'id'),

    /** The project with this slug, as a page with at most one item. */
    projectsBySlug: (slug: string): Promise<Schemas['ProjectPage']> =>
      sendForJson(target, { path: '/api/v1/projects', query: { slug } }, 'items'),

    /** One page of projects, newest first. */
    listProjects: (query: Paging & OwnedBy = {}): Promise<Schemas['ProjectPage']> =>
      sendForJson(target, { path: '/api/v1/projects', query: { ...query } }, 'items'),

    /** All of them as CSV, in pieces of text. */
    projectsCsv: (query: OwnedBy = {}): AsyncGenerator<string> =>
      sendForCsv(target, { path: '/api/v1/projects', query: { ...query } }),

    servicesCsv: (projectId: string, by: OwnedBy = {}): AsyncGenerator<string> =>
      sendForCsv(target, { path: '/api/v1/services', query: { project_id: projectId, ...by } }),

    project: (id: string): Promise<Project> =>
      sendForJson(target, { path: `/api/v1/projects/${id}` }, 'id'),

    listServices: (projectId: string, by: OwnedBy = {}): Promise<Schemas['ServiceResponse'][]> =>
      sendForJson(
        target,
        { path: '/api/v1/services', query: { project_id: projectId, ...by } },
        'length',
      ),

    updateService: (
      id: string,
      body: Schemas['ServiceUpdate'],
    ): Promise<Schemas['ServiceResponse']> =>
      sendForJson(target, { method: 'PATCH', path: `/api/v1/services/${id}`, body }, 'id'),

    /** SBOMs, the newest first. */
    history: (
      projectId: string,
      query: { service_id?: string; per_page?: number } = {},
    ): Promise<Schemas['ProjectSBOMHistoryPage']> =>
      sendForJson(
        target,
        {
          path: `/api/v1/projects/${projectId}/history`,
          query: { per_page: longestPage, ...query },
        },
        'items',
      ),
  };
}
