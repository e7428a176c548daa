import { atOneMoment, momentTooOld, momentUnavailable } from '@bomtrail/service-kit';
import { OperatorError } from '@bomtrail/terminal';
import { MongoServerError, type ClientSession, type MongoClient } from 'mongodb';

/**
 * A backup reads everything at one moment. So long mongod is asked to keep what is changed meanwhile; by
 * default it forgets it after 90 s (300 s where somebody else set it up).
 */
const historySeconds = 2 * 60 * 60;
const parameter = 'minSnapshotHistoryWindowInSeconds';

/** Snapshots are read from replica sets and sharded clusters only. */
const noSnapshots = 123;

/**
 * Runs `read` with a session all of whose reads see one moment, as service-kit's `atOneMoment`, of which
 * mongod keeps the history until it is done. It may be run again from the start.
 *
 * @throws OperatorError when mongod did not keep the moment for so long, or is no replica set
 */
export async function atKeptMoment<Result>(
  client: MongoClient,
  read: (session: ClientSession) => Promise<Result>,
): Promise<Result> {
  const forget = await keepHistory(client);
  try {
    // A moment that was lost while it was read would be lost again.
    return await atOneMoment(client, read, [momentUnavailable]);
  } catch (error) {
    throw explained(error);
  } finally {
    await forget();
  }
}

/**
 * Each backup adds its time and takes it off again, so that two at once leave each other theirs. Where the
 * server may not be asked (rights, or a router of a sharded cluster), what is set there has to do.
 */
async function keepHistory(client: MongoClient): Promise<() => Promise<void>> {
  const admin = client.db('admin');
  const kept = async (): Promise<number> =>
    Number((await admin.command({ getParameter: 1, [parameter]: 1 }))[parameter]);
  const change = async (by: number): Promise<void> => {
    const seconds = Math.max(0, (await kept()) + by);
    await admin.command({ setParameter: 1, [parameter]: seconds });
  };
  try {
    await change(historySeconds);
  } catch (error) {
    if (error instanceof MongoServerError) return async () => undefined;
    throw error;
  }
  // A server that is gone meanwhile begins with its own setting.
  return () => change(-historySeconds).catch(() => undefined);
}

function explained(error: unknown): unknown {
  const code = codeOf(error);
  if (code === momentTooOld || code === momentUnavailable) {
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
