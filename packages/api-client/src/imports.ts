import { sendForJson, type Target } from './http';
import type { Paging } from './projects';
import type { Import, ImportUpdate, Schemas } from './types';

/** Reports of imports from other programs. */
export function importCalls(target: Target) {
  const at = (id: string) => `/api/v1/imports/${id}`;
  return {
    createImport: (body: Schemas['ImportCreate']): Promise<Import> =>
      sendForJson(target, { method: 'POST', path: '/api/v1/imports', body }, 'id'),

    updateImport: (id: string, body: ImportUpdate): Promise<Import> =>
      sendForJson(target, { method: 'PATCH', path: at(id), body }, 'id'),

    listImports: (query: Paging = {}): Promise<Schemas['ImportPage']> =>
      sendForJson(target, { path: '/api/v1/imports', query: { ...query } }, 'items'),

    import: (id: string): Promise<Import> => sendForJson(target, { path: at(id) }, 'id'),

    importedServices: (id: string, query: Paging = {}): Promise<Schemas['ImportedServicePage']> =>
      sendForJson(target, { path: `${at(id)}/services`, query: { ...query } }, 'items'),
  };
}
