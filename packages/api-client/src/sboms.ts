import { EncodedForm } from './encoded-form';
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
      const { project_id, project_slug, version, service_name } = upload;
      const build = {
        commit: upload.commit || undefined,
        build_url: upload.build_url || undefined,
      };
      const fields = { project_id, project_slug, version, service_name, ...build };
      const body = new EncodedForm(fields, { name: 'sbom.json', content: upload.file });
      return sendForJson(target, { method: 'POST', path: '/api/v1/sboms/upload', body }, 'id');
    },

    /** Judges a document that is not stored. */
    check(upload: Omit<Upload, 'commit' | 'build_url'>, query: GateQuery): Promise<SbomCheck> {
      const { file, ...fields } = upload;
      const body = new EncodedForm(fields, { name: 'sbom.json', content: file });
      const path = '/api/v1/sboms/check';
      return sendForJson(
        target,
        { method: 'POST', path, query: { ...query }, body },
        'verdict',
        'reasons',
        'vulnerabilities',
      );
    },

    sbom: (id: string): Promise<SbomDetail> =>
      sendForJson(target, { path: `/api/v1/sboms/${id}` }, 'scan_status', 'vulnerabilities'),

    /**
     * Evaluates a CI gate.
     *
     * @param query `wait` in whole seconds, up to 60, delays the response
     */
    verdict: (id: string, query: GateQuery & { wait?: number }): Promise<SbomVerdict> =>
      sendForJson(target, { path: `/api/v1/sboms/${id}/verdict`, query }, 'verdict', 'reasons'),

    /** Components that could not be evaluated. */
    coverage: (id: string, query: { reason?: string; page?: number } = {}): Promise<SbomCoverage> =>
      sendForJson(
        target,
        {
          path: `/api/v1/sboms/${id}/coverage`,
          query: { per_page: longestPage, ...query },
        },
        'items',
      ),

    /** The uploaded bytes. */
    async download(id: string): Promise<Uint8Array> {
      const response = await send(target, { path: `/api/v1/sboms/${id}/download` });
      if (!response.ok) throw await errorOf(response);
      return new Uint8Array(await response.arrayBuffer());
    },

    /** Difference to another SBOM. */
    diff: (id: string, otherId: string): Promise<SbomDiff> =>
      sendForJson(
        target,
        { path: `/api/v1/sboms/${id}/diff/${otherId}` },
        'added',
        'removed',
        'changed',
      ),

    /** How a component comes into an SBOM. */
    dependencyPaths: (id: string, purl: string): Promise<Schemas['DependencyPaths']> =>
      sendForJson(
        target,
        { path: `/api/v1/sboms/${id}/dependencies/paths`, query: { purl } },
        'paths',
      ),

    deleteSbom: (id: string): Promise<void> =>
      sendForJson(target, { method: 'DELETE', path: `/api/v1/sboms/${id}` }),
  };
}
