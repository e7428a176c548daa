import { EncodedForm } from './encoded-form';
import { sendForJson, type Target } from './http';
import type { Schemas } from './types';

/** The formats that are written. */
export type VexFormat = 'openvex' | 'cyclonedx' | 'csaf';

/** A field that every document of a format has. */
const fieldOf = { openvex: 'statements', cyclonedx: 'bomFormat', csaf: 'document' } as const;

/** VEX documents. */
export function vexCalls(target: Target) {
  return {
    /** @param project_id absent: the project of the key, or all projects */
    importVex(
      file: Uint8Array | string,
      project_id?: string,
    ): Promise<Schemas['VexDocumentDetail']> {
      const body = new EncodedForm({ project_id }, { name: 'vex.json', content: file });
      return sendForJson(target, { method: 'POST', path: '/api/v1/vex', body }, 'id');
    },

    /** The decisions of a project, or of one service or SBOM in it, as a document. */
    exportVex: (
      project_id: string,
      query: { format: VexFormat; service_id?: string | undefined; sbom_id?: string | undefined },
    ): Promise<Schemas['ExportedVex']> =>
      sendForJson(
        target,
        { path: `/api/v1/projects/${project_id}/vex`, query },
        fieldOf[query.format],
      ),

    vexDocument: (id: string): Promise<Schemas['VexDocumentDetail']> =>
      sendForJson(target, { path: `/api/v1/vex/${id}` }, 'id'),

    deleteVex: (id: string): Promise<void> =>
      sendForJson(target, { method: 'DELETE', path: `/api/v1/vex/${id}` }),
  };
}
