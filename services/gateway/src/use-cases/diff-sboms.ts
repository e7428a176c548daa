import * as messages from '@bomtrail/messages';
import type { Caller } from '../domain/caller';
import { attached, readSbomRecord, type ReadSbomDeps } from './read-sbom';

/**
 * What the SBOM `other_id` adds, removes and changes against `sbom_id`: the contract's
 * SBOMDiffResponse as gzip'd JSON, never parsed here. Null when both hold the same components.
 *
 * @throws AppError `sbom_not_found` for either id, `service_unavailable`
 */
export async function diffSboms(
  deps: ReadSbomDeps,
  caller: Caller,
  asked: { sbom_id: string; other_id: string },
): Promise<Uint8Array | null> {
  const [from, to] = await Promise.all([
    readSbomRecord(deps, caller, asked.sbom_id),
    readSbomRecord(deps, caller, asked.other_id),
  ]);
  if (from.digest === to.digest) return null;
  const digests = { from: from.digest, to: to.digest };
  return attached((await deps.request(messages.diffComponents, digests)).attachment);
}
