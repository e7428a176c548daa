import { sendForJson, type Target } from './http';
import { longestPage, type Project, type Schemas } from './types';

/** Projects and their services. */
export function projectCalls(target: Target) {
  return {
    createProject: (body: { name: string }): Promise<Project> =>
      sendForJson(target, { method: 'POST', path: '/api/v1/projects', body }),

    /** The project with this slug, as a page with at most one item. */
    projectsBySlug: (slug: string): Promise<Schemas['ProjectPage']> =>
      sendForJson(target, { path: '/api/v1/projects', query: { slug } }),

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
