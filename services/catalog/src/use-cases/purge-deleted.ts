import { setTimeout as sleep } from 'node:timers/promises';
import type { AcknowledgingOwner } from '@bomtrail/messages';
import type { Logger } from '@bomtrail/service-kit';
import type { DeletionDocument } from '../store/documents';
import { dropRecords, recordsAtOnce, type DropRecordsDeps } from './drop-records';
import { askToForget, ownersOf, type HideDeletedDeps } from './hide-deleted';

export interface PurgeDeletedDeps extends HideDeletedDeps, DropRecordsDeps {}

/** How long a delete of which nobody was told can be repeated and is answered with success. */
const untoldMs = 60 * 60_000;
/** After as many failures an owner counts as away: it is not asked any more in this round. */
const patience = 3;
/** Nobody waits for a purge: it rests for so many times as long as each batch took, so that reads go first. */
const restPerWork = 3;

/** A delete that began before this moment, and of which nobody was told, is not waited for any more. */
export function untoldSince(): Date {
  return new Date(Date.now() - untoldMs);
}

/** A round of the sweep: when it ends, and how often each owner has failed in it. */
interface Round {
  /** Milliseconds since the epoch. */
  until: number;
  failures: Map<AcknowledgingOwner, number>;
  log: Logger;
}

/**
 * Purges what was deleted, one bounded batch of each in turn, so that a large project keeps no other
 * one waiting. Each round begins at another one, so that those which fail do not keep the ones behind
 * them waiting either. Whatever was done stays done: the next round goes on from there.
 *
 * @param options `withinMs`: how long to go on
 * @returns how many are purged
 */
export async function purgeDeleted(
  deps: PurgeDeletedDeps,
  deletions: readonly DeletionDocument[],
  options: { withinMs: number; log: Logger },
): Promise<number> {
  const { withinMs, log } = options;
  const round: Round = { until: Date.now() + withinMs, failures: new Map(), log };
  let left = fromAnyOf(deletions);
  let purged = 0;
  while (left.length > 0) {
    const unfinished: DeletionDocument[] = [];
    for (const deletion of left) {
      if (Date.now() >= round.until) return purged;
      const begun = performance.now();
      const { more, acknowledged } = await purgeBatch(deps, deletion, round);
      if (more) {
        unfinished.push({ ...deletion, acknowledged });
        await sleep((performance.now() - begun) * restPerWork);
      } else if (acknowledged.length === ownersOf(deletion).length) {
        if (await deps.deletions.close(deletion._id, untoldSince())) purged++;
      }
    }
    left = unfinished;
  }
  return purged;
}

/** All of them in their order, beginning at any one. */
function fromAnyOf<Item>(items: readonly Item[]): Item[] {
  const first = Math.floor(Math.random() * items.length);
  return [...items.slice(first), ...items.slice(0, first)];
}

/** Has `work` said of its owner that there is more? Null: it failed, which counts. */
async function askedOf(
  owner: AcknowledgingOwner,
  deletion: DeletionDocument,
  { round, work }: { round: Round; work: () => Promise<{ more: boolean }> },
): Promise<{ more: boolean } | null> {
  const failed = round.failures.get(owner) ?? 0;
  if (failed >= patience) return null;
  try {
    return await work();
  } catch (error) {
    round.failures.set(owner, failed + 1);
    round.log.warn(
      { owner, deleted: deletion._id, reason: (error as Error).message },
      'What was deleted could not be purged everywhere; it is tried again.',
    );
    return null;
  }
}

/** One batch of the records, of which ingest is told, and one at each other owner that has something left. */
async function purgeBatch(
  deps: PurgeDeletedDeps,
  deletion: DeletionDocument,
  round: Round,
): Promise<{ more: boolean; acknowledged: AcknowledgingOwner[] }> {
  const acknowledged = [...deletion.acknowledged];
  let anyMore = false;
  const owners = ownersOf(deletion);
  for (const owner of owners) {
    if (owner === 'gateway' && acknowledged.length < owners.length - 1) break;
    if (acknowledged.includes(owner)) continue;
    const work = () =>
      owner === 'ingest'
        ? dropSomeRecords(deps, deletion)
        : askToForget(deps, deletion, { owner, hideOnly: false });
    const answer = await askedOf(owner, deletion, { round, work });
    if (answer === null) continue;
    if (answer.more) anyMore = true;
    else {
      await deps.deletions.acknowledge(deletion._id, owner);
      acknowledged.push(owner);
    }
  }
  return { more: anyMore, acknowledged };
}

async function dropSomeRecords(
  deps: PurgeDeletedDeps,
  { _id, kind }: DeletionDocument,
): Promise<{ more: boolean }> {
  if (kind === 'project') await deps.deletions.dropServicesOf(_id);
  const scope = kind === 'project' ? { project_id: _id } : { service_id: _id };
  const records = await deps.references.recordsOf(scope, recordsAtOnce);
  await dropRecords(deps, records);
  return { more: records.length === recordsAtOnce };
}
