import * as projects from './manage-projects';
import type { OwnedBy } from './owned-services';
import { serviceColumns } from '../csv/columns';
import { csvReply, partsAfter, type ListFormat } from '../csv/csv-reply';
import { json, nothing, route, type Routes } from '../http/call';
import { receiveJson, receiveNothing } from '../http/json-body';

export function serviceRoutes(deps: projects.AskDeps): Routes {
  return {
    listServices: route<{ query: ListFormat & OwnedBy & { project_id: string } }>({
      receive: receiveNothing,
      handle: async ({ caller, query: { format, ...query } }) => {
        const found = await projects.listServices(deps, caller, query);
        if (format !== 'csv') return json(found);
        return csvReply(
          partsAfter(async () => ({ items: found })),
          {
            name: 'services',
            columns: serviceColumns,
          },
        );
      },
    }),
    updateService: route<{ path: { service_id: string }; body: projects.GivenOwnership }>({
      receive: receiveJson,
      handle: async ({ caller, path, body }) =>
        json(await projects.updateService(deps, caller, { ...path, changes: body })),
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
