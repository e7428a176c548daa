import { json, route, type Routes } from '../http/call';
import { receiveJson, receiveNothing } from '../http/json-body';
import { pageEnvelope, type PageRequest } from '../shared/page-envelope';
import * as imports from './manage-imports';

type ImportPath = { import_id: string };

/** What imports from other programs brought. */
export function importRoutes(deps: imports.ImportDeps): Routes {
  return {
    listImports: route<{ query: PageRequest }>({
      receive: receiveNothing,
      handle: async ({ caller, query }) =>
        json(pageEnvelope(await imports.listImports(deps, caller, query), query)),
    }),
    createImport: route<{ body: imports.NewImport }>({
      receive: receiveJson,
      handle: async ({ caller, body }) => json(await imports.createImport(deps, caller, body)),
    }),
    getImport: route<{ path: ImportPath }>({
      receive: receiveNothing,
      handle: async ({ caller, path }) =>
        json(await imports.readImport(deps, caller, path.import_id)),
    }),
    updateImport: route<{ path: ImportPath; body: imports.ImportUpdate }>({
      receive: receiveJson,
      handle: async ({ path, body }) =>
        json(await imports.updateImport(deps, { ...path, changes: body })),
    }),
    listImportedServices: route<{ path: ImportPath; query: PageRequest }>({
      receive: receiveNothing,
      handle: async ({ caller, path, query }) =>
        json(
          pageEnvelope(
            await imports.listImportedServices(deps, caller, { ...path, ...query }),
            query,
          ),
        ),
    }),
  };
}
