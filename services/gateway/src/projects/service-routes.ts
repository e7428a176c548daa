import * as projects from './manage-projects';
import { json, nothing, route, type Routes } from '../http/call';
import { receiveNothing } from '../http/json-body';

export function serviceRoutes(deps: projects.AskDeps): Routes {
  return {
    listServices: route<{ query: { project_id: string } }>({
      scopes: ['read'],
      receive: receiveNothing,
      handle: async ({ caller, query }) =>
        json(await projects.listServices(deps, caller, query.project_id)),
    }),
    deleteService: route<{ path: { service_id: string }; query: { cascade: boolean } }>({
      scopes: ['write'],
      receive: receiveNothing,
      handle: async ({ caller, path, query }) => {
        await projects.deleteService(deps, caller, { ...path, ...query });
        return nothing;
      },
    }),
  };
}
