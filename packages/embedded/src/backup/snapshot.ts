import { MongoServerError, type ClientSession, type MongoClient } from 'mongodb';
import { OperatorError } from '../operator-error';

/**
 * A backup reads everything at one moment. So long mongod is asked to keep what is changed meanwhile; by
 * default it forgets it after 90 s (300 s where somebody else set it up).
 */
const historySeconds = 2 * 60 * 60;
const parameter = 'minSnapshotHistoryWindowInSeconds';

/** The moment is too long ago for the server. */
const snapshotTooOld = 239;
/** A collection or index was made in just this moment: another moment will do. */
const snapshotUnavailable = 246;
/** Snapshots are read from replica sets and sharded clusters only. */
const noSnapshots = 123;
const attempts = 5;

/**
 * Runs `read` with a session all of whose reads, whatever the database, see one moment: everything that
 * was acknowledged before, and of every transaction all or nothing. It may be run again from the start.
 */
export async function atOneMoment<Result>(
  client: MongoClient,
  read: (session: ClientSession) => Promise<Result>,
): Promise<Result> {
  const forget = await keepHistory(client);
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        return await client.withSession({ snapshot: true }, read);
      } catch (error) {
        if (codeOf(error) === snapshotUnavailable && attempt < attempts) continue;
        throw explained(error);
      }
    }
  } finally {
    await forget();
  }
}

/** Where it may not be asked (rights, or a router of a sharded cluster), what is set there has to do. */
async function keepHistory(client: MongoClient): Promise<() => Promise<void>> {
  const admin = client.db('admin');
  try {
    const before = Number((await admin.command({ getParameter: 1, [parameter]: 1 }))[parameter]);
    if (before >= historySeconds) return async () => undefined;
    await admin.command({ setParameter: 1, [parameter]: historySeconds });
    return async () => {
      // A server that is gone meanwhile begins with its own setting.
      await admin.command({ setParameter: 1, [parameter]: before }).catch(() => undefined);
    };
  } catch (error) {
    if (error instanceof MongoServerError) return async () => undefined;
    throw error;
  }
}

function explained(error: unknown): unknown {
  const code = codeOf(error);
  if (code === snapshotTooOld || code === snapshotUnavailable) {
    return new OperatorError(
      'MongoDB no longer keeps the moment that the backup reads, and the command may not change that: ' +
        `set ${parameter} on it to longer than a backup takes ` +
        `(db.adminCommand({setParameter: 1, ${parameter}: ${historySeconds}})), and begin anew.`,
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
