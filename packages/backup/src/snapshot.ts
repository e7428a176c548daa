import { withSnapshot, snapshotTooOld, snapshotUnavailable } from '@bomtrail/service-kit';
import { OperatorError } from '@bomtrail/terminal';
import { MongoServerError, type ClientSession, type MongoClient } from 'mongodb';
import {
  HISTORY_DATABASE,
  HISTORY_PARAMETER,
  HISTORY_SECONDS,
  extendHistory,
} from './extended-history';

/** Snapshots are read from replica sets and sharded clusters only. */
const noSnapshots = 123;

/**
 * Runs `read` with a session all of whose reads see one moment, as service-kit's `withSnapshot`. It may be
 * run again from the start. By default mongod forgets a moment after 90 s (300 s where somebody else set it
 * up), so it is asked to keep this one until the end.
 *
 * @throws OperatorError when mongod did not keep the moment for so long, or is no replica set
 */
export async function withExtendedSnapshot<Result>(
  client: MongoClient,
  read: (session: ClientSession) => Promise<Result>,
): Promise<Result> {
  const releaseHistory = await extendHistory(client);
  try {
    // A moment that was lost while it was read would be lost again.
    return await withSnapshot(client, read, [snapshotUnavailable]);
  } catch (error) {
    throw explained(error);
  } finally {
    await releaseHistory();
  }
}

function explained(error: unknown): unknown {
  const code = codeOf(error);
  if (code === snapshotTooOld || code === snapshotUnavailable) {
    return new OperatorError(
      'MongoDB no longer keeps the moment that the backup reads, and the command may not change that ' +
        `(it has to set a parameter, and to note that in ${HISTORY_DATABASE}) or took too long: ` +
        `set ${HISTORY_PARAMETER} on it to longer than a backup takes ` +
        `(db.adminCommand({setParameter: 1, ${HISTORY_PARAMETER}: ${HISTORY_SECONDS}})), and begin anew.`,
    );
  }
  if (code === noSnapshots) {
    return new OperatorError('This MongoDB is no replica set, which bomtrail needs.');
  }
  return error;
}

function codeOf(error: unknown): unknown {
  return error instanceof MongoServerError ? error.code : undefined;
}
