import { randomUUID } from 'node:crypto';
import { MongoServerError, type Collection, type MongoClient } from 'mongodb';

/** mongod parameter: seconds of history for snapshot reads. Per server process; lost at a restart. */
export const HISTORY_PARAMETER = 'minSnapshotHistoryWindowInSeconds';
/** Seconds that a backup needs. */
export const HISTORY_SECONDS = 2 * 60 * 60;
/** Shared by all installations on a server, as is the parameter. */
export const HISTORY_DATABASE = 'bomtrail_backup';

/** A backup without renewal for this long counts as gone. */
const goneAfterMs = 60_000;
const renewEachMs = 10_000;

/** Backups that use the extended history of a server, and the original value. */
interface HistoryDocument {
  /** Id of the server process: a restart resets the parameter. */
  _id: string;
  before?: number;
  users: { id: string; until: Date }[];
}

/**
 * Raises the history of the current primary to `HISTORY_SECONDS` until the last backup has ended, then restores the
 * original value unless someone else changed it. A former primary, or one whose backup was killed, is reset by the
 * next backup.
 * Without permission, or on a sharded cluster, the current value stays.
 *
 * @param everyMs renewal interval
 * @returns a function that ends it; never throws
 */
export async function extendHistory(
  client: MongoClient,
  everyMs = renewEachMs,
): Promise<() => Promise<void>> {
  const id = randomUUID();
  const user = { id, server: await serverOf(client) };
  const releaseHistory = (): Promise<void> => release(client, user).catch(() => undefined);
  try {
    await extend(client, user);
  } catch (error) {
    await releaseHistory();
    if (!(error instanceof MongoServerError)) throw error;
    return async () => undefined;
  }
  let renewing = Promise.resolve();
  // Repeated, as a backup that ended meanwhile may have reset it.
  const renewal = setInterval(() => {
    renewing = renewing.then(() => extend(client, user)).catch(() => undefined);
  }, everyMs).unref();
  return async () => {
    clearInterval(renewal);
    await renewing;
    await releaseHistory();
  };
}

interface HistoryUser {
  server: string;
  id: string;
}

/** Records the original value before changing it. */
async function extend(client: MongoClient, { server, id }: HistoryUser): Promise<void> {
  if ((await serverOf(client)) !== server) return;
  await changeUsers(client, { server, out: id, add: id });
  const now = await historySeconds(client);
  const noted = await historyOf(client).findOneAndUpdate(
    { _id: server },
    [{ $set: { before: { $ifNull: ['$before', now] } } }],
    { returnDocument: 'after' },
  );
  if (noted?.before === undefined) return;
  const wanted = raised(noted.before);
  if (now < wanted) await setHistorySeconds(client, wanted);
}

async function release(client: MongoClient, { server, id }: HistoryUser): Promise<void> {
  const left = await changeUsers(client, { server, out: id });
  if (left === null || left.users.length > 0 || left.before === undefined) return;
  if ((await serverOf(client)) !== server) return;
  if ((await historySeconds(client)) === raised(left.before))
    await setHistorySeconds(client, left.before);
  await historyOf(client).deleteOne({ _id: server, users: { $size: 0 } });
}

function raised(before: number): number {
  return Math.max(before, HISTORY_SECONDS);
}

/** Removes expired users and `out`, and adds `add`, by the clock of the database. */
function changeUsers(
  client: MongoClient,
  { server, out, add }: { server: string; out: string; add?: string },
): Promise<HistoryDocument | null> {
  const isPresent = { $and: [{ $gt: ['$$one.until', '$$NOW'] }, { $ne: ['$$one.id', out] }] };
  const input = { $ifNull: ['$users', []] };
  const remaining = { $filter: { input, as: 'one', cond: isPresent } };
  const added = add === undefined ? [] : [{ id: add, until: { $add: ['$$NOW', goneAfterMs] } }];
  return historyOf(client).findOneAndUpdate(
    { _id: server },
    [{ $set: { users: { $concatArrays: [remaining, added] } } }],
    { upsert: add !== undefined, returnDocument: 'after' },
  );
}

function historyOf(client: MongoClient): Collection<HistoryDocument> {
  return client.db(HISTORY_DATABASE).collection<HistoryDocument>('history');
}

/** Returns the id of the current primary's process. */
async function serverOf(client: MongoClient): Promise<string> {
  const { topologyVersion } = await client.db('admin').command({ hello: 1 });
  return String(topologyVersion?.processId);
}

async function historySeconds(client: MongoClient): Promise<number> {
  const answer = await client.db('admin').command({ getParameter: 1, [HISTORY_PARAMETER]: 1 });
  return Number(answer[HISTORY_PARAMETER]);
}

async function setHistorySeconds(client: MongoClient, seconds: number): Promise<void> {
  await client.db('admin').command({ setParameter: 1, [HISTORY_PARAMETER]: seconds });
}
