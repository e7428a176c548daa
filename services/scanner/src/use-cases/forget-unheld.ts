import { findUsedSets } from '@bomtrail/messages';
import { eachAlone, type Logger, type Request } from '@bomtrail/service-kit';
import type { LeavingSetStore } from '../store/leaving-set-store';
import type { WaitingScanStore } from '../store/waiting-scan-store';
import { forgetSet, type ScanDeps } from './scan-component-set';

export interface ForgetUnheldDeps extends ScanDeps {
  leaving: LeavingSetStore;
  waiting: WaitingScanStore;
  request: Request;
  log: Logger;
  /** How long what nobody refers to stays, in milliseconds. */
  graceMs: number;
}

const setsPerQuestion = 500;

/**
 * Forgets the component sets that were noted a grace ago and that ingest does not hold, with all that
 * was found in them and the scans that wait for them; then the names that no set holds any more.
 * Package versions and their matches stay: they are what is known about a package, not about a set.
 * Gives how much was forgotten.
 */
export async function forgetUnheld(deps: ForgetUnheldDeps): Promise<number> {
  const before = new Date(Date.now() - deps.graceMs);
  let forgotten = 0;
  for (;;) {
    const due = await deps.leaving.due(before, setsPerQuestion);
    if (due.length === 0) break;
    const held = await heldOf(
      deps,
      due.map(({ _id }) => _id),
    );
    await deps.leaving.strike(due.filter(({ _id }) => held.has(_id)));
    const unheld = due.filter(({ _id }) => !held.has(_id));
    const forget = async (noted: (typeof due)[number]): Promise<void> => {
      if (await forgetSet(deps, noted._id)) await deps.waiting.removeOfSet(noted._id);
      await deps.leaving.strike([noted]);
    };
    const done = await eachAlone(unheld, forget, deps.log);
    forgotten += done;
    if (done < unheld.length) break;
  }
  return forgotten + (await deps.names.dropUnheld(before));
}

/**
 * Looks at the next page of all that is kept by set, and notes the sets that ingest does not hold:
 * what a scan stored that ended after its set had gone, and what no question told of.
 */
export async function lookForUnheld(deps: ForgetUnheldDeps): Promise<number> {
  let noted = 0;
  await deps.leaving.walk(async (digests) => {
    const held = await heldOf(deps, digests);
    const unheld = digests.filter((digest) => !held.has(digest));
    await deps.leaving.noteUnheld(unheld, new Date());
    noted += unheld.length;
  });
  return noted + (await deps.names.markUnused(new Date()));
}

async function heldOf(deps: ForgetUnheldDeps, digests: string[]): Promise<Set<string>> {
  return new Set((await deps.request(findUsedSets, { digests })).body.used);
}
