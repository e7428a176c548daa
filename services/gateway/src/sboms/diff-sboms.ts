import * as messages from '@bomtrail/messages';
import type { Caller } from '../api-keys/domain/caller';
import { attached, readSbomRecord, retainedRecord, type ReadSbomDeps } from './read-sbom';

/**
 * Difference from `sbom_id` to `other_id`: the contract's SBOMDiffResponse as gzip'd JSON, not
 * parsed here. Null if both have the same component set.
 *
 * @throws AppError `sbom_not_found` or `document_expired` for either id, `service_unavailable`
 */
export async function diffSboms(
  deps: ReadSbomDeps,
  caller: Caller,
  requested: { sbom_id: string; other_id: string },
): Promise<Uint8Array | null> {
  const records = await Promise.all([
    readSbomRecord(deps, caller, requested.sbom_id),
    readSbomRecord(deps, caller, requested.other_id),
  ]);
  const [from, to] = records.map(retainedRecord) as typeof records;
  if (from.digest === to.digest) return null;
  const digests = { from: from.digest, to: to.digest };
  return attached((await deps.request(messages.diffComponents, digests)).attachment);
}
