import { setTimeout as sleep } from 'node:timers/promises';
import type { AcknowledgingOwner } from '@bomtrail/messages';
import type { Logger } from '@bomtrail/telemetry';
import type { DeletionDocument } from '../store/documents';
import { dropRecords, recordsAtOnce, type DropRecordsDeps } from './drop-records';
import { deleteDataAt, ownersOf, type HideDeletedDeps } from './hide-deleted';

export interface PurgeDeletedDeps extends HideDeletedDeps, DropRecordsDeps {}

/** How long an unacknowledged delete can be repeated with success. */
const unrespondedMs = 60 * 60_000;
/** Failures in a round after which an owner is skipped. */
const maxFailures = 3;
/** Pause after each batch as a multiple of its duration, so that reads have priority. */
const restPerWork = 3;

/** Unacknowledged deletes that began before this time are no longer kept for a repetition. */
export function unrespondedSince(): Date {
  return new Date(Date.now() - unrespondedMs);
}

/** A round of the sweep, with the failures of each owner. */
interface Round {
  /** Milliseconds since the epoch. */
  until: number;
  failures: Map<AcknowledgingOwner, number>;
  log: Logger;
}

/**
 * Purges deletions, one bounded batch of each in turn, so that a large project does not delay
 * others. Each round begins at a random one, so that failing ones do not delay those after them.
 * Progress is kept between rounds.
 *
 * @param options `withinMs`: time limit
 * @returns the number of completed purges
 * @throws Error if an owner failed, after the others were asked
 */
export async function purgeDeleted(
  deps: PurgeDeletedDeps,
  deletions: readonly DeletionDocument[],
  options: { withinMs: number; log: Logger },
): Promise<number> {
  const { withinMs, log } = options;
  const round: Round = { until: Date.now() + withinMs, failures: new Map(), log };
  const purged = await purgeInTurn(deps, deletions, round);
  const failed = [...round.failures.keys()];
  if (failed.length > 0) throw new Error(`Deleted data could not be purged: ${failed.join(', ')}.`);
  return purged;
}

async function purgeInTurn(
  deps: PurgeDeletedDeps,
  deletions: readonly DeletionDocument[],
  round: Round,
): Promise<number> {
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
        if (await deps.deletions.close(deletion._id, unrespondedSince())) purged++;
      }
    }
    left = unfinished;
  }
  return purged;
}

/** Rotates the items to begin at a random one. */
function fromAnyOf<Item>(items: readonly Item[]): Item[] {
  const first = Math.floor(Math.random() * items.length);
  return [...items.slice(first), ...items.slice(0, first)];
}

/** Runs `work` for an owner; null if it failed, which is counted. */
async function tryOwner(
  owner: AcknowledgingOwner,
  deletion: DeletionDocument,
  { round, work }: { round: Round; work: () => Promise<{ more: boolean }> },
): Promise<{ more: boolean } | null> {
  const failed = round.failures.get(owner) ?? 0;
  if (failed >= maxFailures) return null;
  try {
    return await work();
  } catch (error) {
    round.failures.set(owner, failed + 1);
    round.log.warn(
      { owner, deleted: deletion._id, reason: (error as Error).message },
      'Purging a deletion failed; it will be retried.',
    );
    return null;
  }
}

/** One batch of records with notification of ingest, and one at each other owner with data left. */
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
        : deleteDataAt(deps, deletion, { owner, hideOnly: false });
    const answer = await tryOwner(owner, deletion, { round, work });
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
