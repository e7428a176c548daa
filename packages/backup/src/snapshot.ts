import { withSnapshot, snapshotTooOld, snapshotUnavailable } from '@bomtrail/mongo';
import { OperatorError } from '@bomtrail/terminal';
import { MongoServerError, type ClientSession, type MongoClient } from 'mongodb';
import {
  HISTORY_DATABASE,
  HISTORY_PARAMETER,
  HISTORY_SECONDS,
  extendHistory,
} from './extended-history';

/** Snapshots need a replica set or sharded cluster. */
const noSnapshots = 123;

/**
 * Runs `read` on one snapshot, like the mongo package's `withSnapshot`; it may be run again from the start. mongod keeps
 * snapshots for 90 s by default, so its history is extended meanwhile.
 *
 * @throws OperatorError if mongod did not keep the snapshot, or is not a replica set
 */
export async function withExtendedSnapshot<Result>(
  client: MongoClient,
  read: (session: ClientSession) => Promise<Result>,
): Promise<Result> {
  const releaseHistory = await extendHistory(client);
  try {
    // A snapshot lost during the read would be lost again.
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
