import { errorOf, send, sendForJson, type Target } from './http';
import {
  longestPage,
  type GateQuery,
  type Schemas,
  type SbomCheck,
  type SbomCoverage,
  type SbomDetail,
  type SbomDiff,
  type SbomVerdict,
  type Upload,
  type UploadResult,
} from './types';

/** Uploads and what they resulted in. */
export function sbomCalls(target: Target) {
  return {
    upload(upload: Upload): Promise<UploadResult> {
      const form = new FormData();
      if (upload.project_id !== undefined) form.set('project_id', upload.project_id);
      if (upload.project_slug !== undefined) form.set('project_slug', upload.project_slug);
      if (upload.version !== undefined) form.set('version', upload.version);
      if (upload.service_name !== undefined) form.set('service_name', upload.service_name);
      if (upload.commit) form.set('commit', upload.commit);
      if (upload.build_url) form.set('build_url', upload.build_url);
      form.set('file', new Blob([upload.file as Uint8Array<ArrayBuffer>]), 'sbom.json');
      return sendForJson(target, { method: 'POST', path: '/api/v1/sboms/upload', body: form });
    },

    /** Judges a document that is not stored. */
    check(upload: Omit<Upload, 'commit' | 'build_url'>, query: GateQuery): Promise<SbomCheck> {
      const { file, ...fields } = upload;
      const form = new FormData();
      for (const [name, value] of Object.entries(fields))
        if (value !== undefined) form.set(name, value);
      form.set('file', new Blob([file as Uint8Array<ArrayBuffer>]), 'sbom.json');
      const path = '/api/v1/sboms/check';
      return sendForJson(target, { method: 'POST', path, query: { ...query }, body: form });
    },

    sbom: (id: string): Promise<SbomDetail> => sendForJson(target, { path: `/api/v1/sboms/${id}` }),

    /**
     * Evaluates a CI gate.
     *
     * @param query `wait` in whole seconds, up to 60, delays the response
     */
    verdict: (id: string, query: GateQuery & { wait?: number }): Promise<SbomVerdict> =>
      sendForJson(target, { path: `/api/v1/sboms/${id}/verdict`, query }),

    /** Components that could not be evaluated. */
    coverage: (id: string, query: { reason?: string; page?: number } = {}): Promise<SbomCoverage> =>
      sendForJson(target, {
        path: `/api/v1/sboms/${id}/coverage`,
        query: { per_page: longestPage, ...query },
      }),

    /** The uploaded bytes. */
    async download(id: string): Promise<Uint8Array> {
      const response = await send(target, { path: `/api/v1/sboms/${id}/download` });
      if (!response.ok) throw await errorOf(response);
      return new Uint8Array(await response.arrayBuffer());
    },

    /** Difference to another SBOM. */
    diff: (id: string, otherId: string): Promise<SbomDiff> =>
      sendForJson(target, { path: `/api/v1/sboms/${id}/diff/${otherId}` }),

    /** How a component comes into an SBOM. */
    dependencyPaths: (id: string, purl: string): Promise<Schemas['DependencyPaths']> =>
      sendForJson(target, { path: `/api/v1/sboms/${id}/dependencies/paths`, query: { purl } }),

    deleteSbom: (id: string): Promise<void> =>
      sendForJson(target, { method: 'DELETE', path: `/api/v1/sboms/${id}` }),
  };
}
