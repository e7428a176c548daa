import { packJson } from '@bomtrail/messaging';
import type { LicensedEntries, LicenseQuery } from '@bomtrail/messages';
import {
  licenceGroupKey,
  licenceIdKey,
  LICENCES_LEFT_OUT,
  mayBeLeftOut,
} from '@bomtrail/sbom-formats';
import type { LicenceStore } from '../store/licence-store';

export interface FindLicensedDeps {
  licences: LicenceStore;
}

interface FoundSets {
  body: { sets: number; complete: boolean; key: string | null; similar: string[] };
  attachment: Uint8Array;
}

/**
 * Finds the component sets with a licence id or a group. `complete`: every stored set is indexed by
 * the current rules, and for an own id none has more of these than are indexed; `key`: null if the text is no licence id.
 */
export async function findLicensedSets(
  { licences }: FindLicensedDeps,
  query: LicenseQuery,
): Promise<FoundSets> {
  const { key, similar } =
    query.group === null
      ? licenceIdKey(query.license ?? '')
      : { key: licenceGroupKey(query.group), similar: [] };
  // Read first: a set that is indexed in between is then in the result.
  const waiting = await licences.listNotIndexed(1);
  const isLeftOut = key !== null && mayBeLeftOut(key) && (await licences.hasSet(LICENCES_LEFT_OUT));
  const digests = key === null ? [] : await licences.findSets(key);
  return {
    body: { sets: digests.length, complete: waiting.length === 0 && !isLeftOut, key, similar },
    attachment: await packJson(JSON.stringify(digests)),
  };
}

/** Number and first components of some sets under a key of `findLicensedSets`. */
export async function readLicensed(
  { licences }: FindLicensedDeps,
  { digests, key }: { digests: readonly string[]; key: string },
): Promise<LicensedEntries> {
  const found = await licences.entriesOf(digests, key);
  return Object.fromEntries(
    [...found].map(([digest, { count, first }]) => [digest, { count, first }]),
  );
}
