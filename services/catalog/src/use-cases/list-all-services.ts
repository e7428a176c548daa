import type { ServiceNames, ServiceSbom } from '@bomtrail/messages';
import { readLineNames, type ReadCatalogDeps } from './read-catalog';

/**
 * A page of the version lines, by id. A line whose project is being deleted has no names any more and
 * is left out, so that a page may be shorter than `limit`; `next` is what to ask behind, null at the end.
 */
export async function listLinesById(
  deps: ReadCatalogDeps,
  asked: { project_id?: string | undefined; after: string | null; limit: number },
): Promise<{ lines: ServiceNames[]; next: string | null }> {
  const page = await deps.lines.page(asked, asked.limit);
  const ids = page.map(({ _id }) => _id);
  const lines = await readLineNames(deps, ids);
  lines.sort((a, b) => (a.service_id < b.service_id ? -1 : 1));
  return { lines, next: page.length < asked.limit ? null : (ids.at(-1) ?? null) };
}

/** The SBOMs of a line as they are stored, behind `after_seq`, and whether the line is there. */
export async function listSbomsOfLine(
  deps: ReadCatalogDeps,
  asked: { service_id: string; after_seq: number; limit: number },
): Promise<{
  line: 'there' | 'deleting' | 'unknown';
  project_id: string | null;
  sboms: ServiceSbom[];
}> {
  const { service_id } = asked;
  const sboms = await deps.sboms.ofLine(service_id, asked.after_seq, asked.limit);
  const line = await deps.lines.byId(service_id);
  const project = line && (await deps.projects.byId(line.project_id));
  const state = project
    ? 'there'
    : line || sboms.length > 0 || (await deps.deletions.byId(service_id))
      ? 'deleting'
      : 'unknown';
  return {
    line: state,
    project_id: line?.project_id ?? sboms[0]?.project_id ?? null,
    sboms: sboms.map((sbom) => ({
      sbom_id: sbom._id,
      seq: sbom.seq,
      digest: sbom.digest,
      created_at: sbom.created_at.toISOString(),
      scan_status: sbom.scan_status,
      rescan_pending: sbom.rescan !== undefined,
      deleting: sbom.deleted_at !== undefined,
    })),
  };
}
