import * as projects from './manage-projects';
import { serviceColumns } from '../csv/columns';
import { csvReply, partsAfter, type ListFormat } from '../csv/csv-reply';
import { json, nothing, route, type Routes } from '../http/call';
import { receiveNothing } from '../http/json-body';

export function serviceRoutes(deps: projects.AskDeps): Routes {
  return {
    listServices: route<{ query: ListFormat & { project_id: string } }>({
      receive: receiveNothing,
      handle: async ({ caller, query }) => {
        const found = await projects.listServices(deps, caller, query.project_id);
        if (query.format !== 'csv') return json(found);
        return csvReply(
          partsAfter(async () => ({ items: found })),
          {
            name: 'services',
            columns: serviceColumns,
          },
        );
      },
    }),
    deleteService: route<{ path: { service_id: string }; query: { cascade: boolean } }>({
      receive: receiveNothing,
      handle: async ({ caller, path, query }) => {
        await projects.deleteService(deps, caller, { ...path, ...query });
        return nothing;
      },
    }),
  };
}
