import { Readable } from 'node:stream';
import { json, route, type Route, type Routes } from '../http/call';
import { receiveNothing } from '../http/json-body';
import type { NamingDeps } from '../projects/service-names';
import { pageEnvelope, type PageRequest } from '../shared/page-envelope';
import type { ReceivedFile } from '../uploads/received-file';
import { exportVex, type VexExport } from './export-vex';
import { deleteVex, importVex, listVex, readVex, type VexDeps } from './manage-vex';

type VexPath = { vex_id: string };

export interface VexRouteDeps extends VexDeps, NamingDeps {
  receiveUpload: Route['receive'];
}

export function vexRoutes(deps: VexRouteDeps): Routes {
  return {
    importVex: route<{ body: { project_id?: string; file: ReceivedFile } }>({
      receive: deps.receiveUpload,
      handle: async ({ caller, body }) => json(await importVex(deps, caller, body)),
    }),
    listVex: route<{ query: PageRequest & { project_id?: string } }>({
      receive: receiveNothing,
      handle: async ({ caller, query }) =>
        json(pageEnvelope(await listVex(deps, caller, query), query)),
    }),
    exportVex: route<{ path: { project_id: string }; query: Omit<VexExport, 'project_id'> }>({
      receive: receiveNothing,
      handle: async ({ caller, path, query }) => {
        const text = await exportVex(deps, caller, { ...path, ...query });
        return {
          kind: 'stream',
          headers: { 'Content-Type': 'application/json; charset=utf-8' },
          content: () => Readable.from([Buffer.from(text)]),
        };
      },
    }),
    getVex: route<{ path: VexPath }>({
      receive: receiveNothing,
      handle: async ({ caller, path }) => json(await readVex(deps, caller, path.vex_id)),
    }),
    deleteVex: route<{ path: VexPath }>({
      receive: receiveNothing,
      handle: async ({ caller, path }) => {
        const project_id = await deleteVex(deps, caller, path.vex_id);
        return { kind: 'nothing', about: { project_id } };
      },
    }),
  };
}
