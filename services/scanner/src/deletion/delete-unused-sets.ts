import { findUsedSets } from '@bomtrail/messages';
import type { Request } from '@bomtrail/messaging';
import { eachAlone } from '@bomtrail/service-runtime';
import type { Logger } from '@bomtrail/telemetry';
import type { ReleasedSetStore } from './store/released-set-store';
import type { WaitingScanStore } from '../feeds/store/waiting-scan-store';
import { deleteSet, type ScanDeps } from '../matching/scan-component-set';

export interface DeleteUnusedSetsDeps extends ScanDeps {
  released: ReleasedSetStore;
  waiting: WaitingScanStore;
  request: Request;
  log: Logger;
  /** Grace period of unused data, in milliseconds. */
  graceMs: number;
}

const setsPerRequest = 500;

/**
 * Deletes the component sets that were released one grace period ago and that ingest does not have,
 * with their evaluations and waiting scans; before them unused search entries. Package versions stay.
 * Returns the number of deletions.
 *
 * @throws the last failure of some, after those of their page were tried
 */
export async function deleteUnusedSets(deps: DeleteUnusedSetsDeps): Promise<number> {
  const before = new Date(Date.now() - deps.graceMs);
  let deleted = await deps.names.deleteUnused(before);
  for (;;) {
    const due = await deps.released.due(before, setsPerRequest);
    if (due.length === 0) break;
    const used = await usedOf(
      deps,
      due.map(({ _id }) => _id),
    );
    await deps.released.remove(due.filter(({ _id }) => used.has(_id)));
    const unused = due.filter(({ _id }) => !used.has(_id));
    const deleteScope = async (noted: (typeof due)[number]): Promise<void> => {
      if (await deleteSet(deps, noted._id)) await deps.waiting.removeOfSet(noted._id);
      await deps.released.remove([noted]);
    };
    deleted += await eachAlone(unused, deleteScope, deps.log);
  }
  return deleted;
}

/**
 * Checks the next page of all stored sets and marks those that ingest does not have, for example
 * after a late scan or a lost request. Returns their number.
 */
export async function markUnusedSets(deps: DeleteUnusedSetsDeps): Promise<number> {
  let noted = 0;
  await deps.released.walk(async (digests) => {
    const used = await usedOf(deps, digests);
    const unused = digests.filter((digest) => !used.has(digest));
    await deps.released.addUnused(unused, new Date());
    noted += unused.length;
  });
  return noted + (await deps.names.markUnused(new Date()));
}

async function usedOf(deps: DeleteUnusedSetsDeps, digests: string[]): Promise<Set<string>> {
  return new Set((await deps.request(findUsedSets, { digests })).body.used);
}
