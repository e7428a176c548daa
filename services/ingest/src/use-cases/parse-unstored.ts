import { qualityReport } from '@bomtrail/sbom-formats';
import { AppError, type ParsedDocument } from '@bomtrail/messages';
import type { Workers } from '../worker/worker-pool';
import type { AssertProject, ProjectName } from './assert-project';
import { readDocument } from './read-document';

export interface ParseUnstoredDeps {
  workers: Pick<Workers, 'parse'>;
  assertProject: AssertProject;
}

/**
 * Reads a document like an upload, with the same refusals in the same order, and stores nothing
 * (ADR 0052). Large documents are parsed after waiting uploads.
 *
 * @param upload `bytes`: the gzip'd document; `gone`: aborts when the result is no longer wanted
 * @returns `components`: a gzip'd JSON array
 * @throws AppError `project_not_found` if a project is named, the validation error of the document; the reason of `gone`
 */
export async function parseUnstored(
  deps: ParseUnstoredDeps,
  given: ProjectName & { sha256: string; size: number },
  { bytes, gone }: { bytes: Uint8Array | null; gone: AbortSignal },
): Promise<{ parsed: ParsedDocument; components: Uint8Array }> {
  if (!bytes) throw new AppError('malformed_body', 'The document is missing.');
  const { project_id, project_slug, sha256, size } = given;
  if (project_id !== null || project_slug !== null) await deps.assertProject(given);
  const read = await readDocument(deps, { bytes, sha256, size, isUpload: false, gone });
  const { format, specVersion, rootName, count, roots, quality, components } = read;
  return {
    parsed: {
      format,
      spec_version: specVersion,
      dependency_count: count,
      root_name: rootName,
      roots,
      quality: qualityReport(quality),
    },
    components,
  };
}
