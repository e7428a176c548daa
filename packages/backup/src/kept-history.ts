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
interface Kept {
  /** The server's process: a restarted one has what it was started with. */
  _id: string;
  before?: number;
  holders: { id: string; until: Date }[];
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
export async function keepHistory(
  client: MongoClient,
  everyMs = renewEachMs,
): Promise<() => Promise<void>> {
  const id = randomUUID();
  const holder = { id, server: await serverOf(client) };
  const forget = (): Promise<void> => letGo(client, holder).catch(() => undefined);
  try {
    await hold(client, holder);
  } catch (error) {
    await forget();
    if (!(error instanceof MongoServerError)) throw error;
    return async () => undefined;
  }
  let renewing = Promise.resolve();
  // Again also because whoever ended in this moment may have set it back.
  const renewal = setInterval(() => {
    renewing = renewing.then(() => hold(client, holder)).catch(() => undefined);
  }, everyMs).unref();
  return async () => {
    clearInterval(renewal);
    await renewing;
    await forget();
  };
}

interface ServiceUsing {
  server: string;
  id: string;
}

/** The value before is noted before it is changed, so that whoever comes later does not take ours for it. */
async function hold(client: MongoClient, { server, id }: ServiceUsing): Promise<void> {
  if ((await serverOf(client)) !== server) return;
  await changeHolders(client, { server, out: id, add: id });
  const now = await keptNow(client);
  const noted = await keptOf(client).findOneAndUpdate(
    { _id: server },
    [{ $set: { before: { $ifNull: ['$before', now] } } }],
    { returnDocument: 'after' },
  );
  if (noted?.before === undefined) return;
  const wanted = raised(noted.before);
  if (now < wanted) await keep(client, wanted);
}

async function letGo(client: MongoClient, { server, id }: ServiceUsing): Promise<void> {
  const left = await changeHolders(client, { server, out: id });
  if (left === null || left.holders.length > 0 || left.before === undefined) return;
  if ((await serverOf(client)) !== server) return;
  if ((await keptNow(client)) === raised(left.before)) await keep(client, left.before);
  await keptOf(client).deleteOne({ _id: server, holders: { $size: 0 } });
}

function raised(before: number): number {
  return Math.max(before, HISTORY_SECONDS);
}

/** Takes those out that are gone and one that is named, and puts one in, by the database's clock. */
function changeHolders(
  client: MongoClient,
  { server, out, add }: { server: string; out: string; add?: string },
): Promise<Kept | null> {
  const present = { $and: [{ $gt: ['$$one.until', '$$NOW'] }, { $ne: ['$$one.id', out] }] };
  const input = { $ifNull: ['$holders', []] };
  const kept = { $filter: { input, as: 'one', cond: present } };
  const added = add === undefined ? [] : [{ id: add, until: { $add: ['$$NOW', goneAfterMs] } }];
  return keptOf(client).findOneAndUpdate(
    { _id: server },
    [{ $set: { holders: { $concatArrays: [kept, added] } } }],
    { upsert: add !== undefined, returnDocument: 'after' },
  );
}

function keptOf(client: MongoClient): Collection<Kept> {
  return client.db(HISTORY_DATABASE).collection<Kept>('history');
}

/** The process that is primary now, by the name that it gives itself. */
async function serverOf(client: MongoClient): Promise<string> {
  const { topologyVersion } = await client.db('admin').command({ hello: 1 });
  return String(topologyVersion?.processId);
}

async function keptNow(client: MongoClient): Promise<number> {
  const answer = await client.db('admin').command({ getParameter: 1, [HISTORY_PARAMETER]: 1 });
  return Number(answer[HISTORY_PARAMETER]);
}

async function keep(client: MongoClient, seconds: number): Promise<void> {
  await client.db('admin').command({ setParameter: 1, [HISTORY_PARAMETER]: seconds });
}
