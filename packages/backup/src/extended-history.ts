import { randomUUID } from 'node:crypto';
import { MongoServerError, type Collection, type MongoClient } from 'mongodb';

/** Of mongod: for how long it keeps what is changed. It holds until that server ends, and only there. */
export const HISTORY_PARAMETER = 'minSnapshotHistoryWindowInSeconds';
/** What a backup asks for. */
export const HISTORY_SECONDS = 2 * 60 * 60;
/** Whatever their prefixes, all installations on a server share what it keeps, and so this database. */
export const HISTORY_DATABASE = 'bomtrail_backup';

/** A backup that has not said so for as long is gone. */
const goneAfterMs = 60_000;
const renewEachMs = 10_000;

/** Who wants the history of a server, and what was set there before the first of them came. */
interface HistoryDocument {
  /** The server's process: a restarted one has what it was started with. */
  _id: string;
  before?: number;
  users: { id: string; until: Date }[];
}

/**
 * Has the server that is primary now keep at least `HISTORY_SECONDS` of history, until the last of the
 * backups that want it has ended; then what was set before is set again. It is set again only there and
 * only if nobody else has changed it: a server that is no primary any more, or whose backup was killed,
 * gets it back with the next backup from it.
 *
 * Where the server may not be asked (rights, or a router of a sharded cluster), what is set there has to do.
 *
 * @param everyMs how often it is said that this backup goes on
 * @returns ends it; never throws
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
  // Again also because whoever ended in this moment may have set it back.
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

/** The value before is noted before it is changed, so that whoever comes later does not take ours for it. */
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

/** Takes those out that are gone and one that is named, and puts one in, by the database's clock. */
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

/** The process that is primary now, by the name that it gives itself. */
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
