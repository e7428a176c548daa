import { sendForCsv, sendForJson, type Target } from './http';
import { longestPage, type Project, type Schemas } from './types';

/** A page of a list. */
export interface Paging {
  page?: number;
  per_page?: number;
}

/** Projects and their services. */
export function projectCalls(target: Target) {
  return {
    createProject: (body: { name: string }): Promise<Project> =>
      sendForJson(target, { method: 'POST', path: '/api/v1/projects', body }),

    /** The project with this slug, as a page with at most one item. */
    projectsBySlug: (slug: string): Promise<Schemas['ProjectPage']> =>
      sendForJson(target, { path: '/api/v1/projects', query: { slug } }),

    /** One page of projects, newest first. */
    listProjects: (query: Paging = {}): Promise<Schemas['ProjectPage']> =>
      sendForJson(target, { path: '/api/v1/projects', query: { ...query } }),

    /** All of them as CSV, in pieces of text. */
    projectsCsv: (): AsyncGenerator<string> => sendForCsv(target, { path: '/api/v1/projects' }),

    servicesCsv: (projectId: string): AsyncGenerator<string> =>
      sendForCsv(target, { path: '/api/v1/services', query: { project_id: projectId } }),

    project: (id: string): Promise<Project> =>
      sendForJson(target, { path: `/api/v1/projects/${id}` }),

    listServices: (projectId: string): Promise<Schemas['ServiceResponse'][]> =>
      sendForJson(target, { path: '/api/v1/services', query: { project_id: projectId } }),

    history: (projectId: string): Promise<Schemas['ProjectSBOMHistoryPage']> =>
      sendForJson(target, {
        path: `/api/v1/projects/${projectId}/history`,
        query: { per_page: longestPage },
      }),
  };
}
