import { findUsedSets } from '@bomtrail/messages';
import { eachAlone, type Logger, type Request } from '@bomtrail/service-kit';
import type { ReleasedSetStore } from '../store/released-set-store';
import type { WaitingScanStore } from '../store/waiting-scan-store';
import { deleteSet, type ScanDeps } from './scan-component-set';

export interface DeleteUnusedSetsDeps extends ScanDeps {
  released: ReleasedSetStore;
  waiting: WaitingScanStore;
  request: Request;
  log: Logger;
  /** How long what nobody refers to stays, in milliseconds. */
  graceMs: number;
}

const setsPerRequest = 500;

/**
 * Forgets the component sets that were noted a grace ago and that ingest does not hold, with all that
 * was found in them and the scans that wait for them; then the names that no set holds any more.
 * Package versions and their matches stay: they are what is known about a package, not about a set.
 * Gives how much was forgotten.
 */
export async function deleteUnusedSets(deps: DeleteUnusedSetsDeps): Promise<number> {
  const before = new Date(Date.now() - deps.graceMs);
  let deleted = 0;
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
    const done = await eachAlone(unused, deleteScope, deps.log);
    deleted += done;
    if (done < unused.length) break;
  }
  return deleted + (await deps.names.deleteUnused(before));
}

/**
 * Looks at the next page of all that is kept by set, and notes the sets that ingest does not hold:
 * what a scan stored that ended after its set had gone, and what no question told of.
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
