import { findDependencyPaths, type DependencyPathsView } from '@bomtrail/messages';
import { unpackJson } from '@bomtrail/messaging';
import type { Caller } from '../api-keys/domain/caller';
import { attached, readSbomRecord, retainedRecord, type ReadSbomDeps } from './read-sbom';

/**
 * How a component comes into the document of an SBOM.
 *
 * @throws AppError `sbom_not_found`, `document_expired`, `service_unavailable`
 */
export async function listDependencyPaths(
  deps: ReadSbomDeps,
  caller: Caller,
  { sbom_id, purl }: { sbom_id: string; purl: string },
): Promise<DependencyPathsView & { sbom_id: string }> {
  const { sha256 } = retainedRecord(await readSbomRecord(deps, caller, sbom_id));
  const { attachment } = await deps.request(findDependencyPaths, { sha256, purls: [purl] });
  const [found] = (await unpackJson(attached(attachment))) as DependencyPathsView[];
  return { sbom_id, purl, has_graph: false, found: null, paths: [], more: false, ...found };
}
