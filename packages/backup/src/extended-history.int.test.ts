import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  freePort,
  locateServer,
  onFreePort,
  serverCacheDir,
  startMongod,
  type RunningServer,
} from '@bomtrail/embedded';
import { MongoClient } from 'mongodb';
import {
  HISTORY_DATABASE,
  HISTORY_PARAMETER,
  HISTORY_SECONDS,
  extendHistory,
} from './extended-history';

let folder: string;
let binary: string;
let port: number;
let mongod: RunningServer;
let client: MongoClient;

const unauthorized = 13;
/** With commands that can be made to fail. */
const args = ['--setParameter', 'enableTestCommands=1'];
const startAgain = (): Promise<RunningServer> =>
  startMongod({ binary, dataDir: join(folder, 'mongod'), port, args });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bomtrail-history-'));
  binary = await locateServer('mongod', { cacheDir: serverCacheDir(), say: () => {} });
  mongod = await onFreePort(freePort, (free) => {
    port = free;
    return startAgain();
  });
  client = await new MongoClient(mongod.url).connect();
});
afterAll(async () => {
  await client?.close();
  await mongod?.stop();
  await rm(folder, { recursive: true, force: true });
});

const admin = (command: object) => client.db('admin').command(command);
const set = (seconds: number) => admin({ setParameter: 1, [HISTORY_PARAMETER]: seconds });
const present = async (): Promise<unknown> =>
  (await admin({ getParameter: 1, [HISTORY_PARAMETER]: 1 }))[HISTORY_PARAMETER];
const notes = () => client.db(HISTORY_DATABASE).collection('history');

test('of backups that begin in one instant the last to end sets back what was there before', async () => {
  const ends = await Promise.all([1, 2, 3].map(() => extendHistory(client)));
  for (const end of ends) {
    expect(await present()).toBe(HISTORY_SECONDS);
    await end();
  }
  expect(await present()).toBe(90);
  expect(await notes().countDocuments()).toBe(0);
});

test('a backup that was killed leaves as much as one asks for, which the next one sets back', async () => {
  for (let killed = 0; killed < 2; killed++) {
    await extendHistory(client);
    expect(await present()).toBe(HISTORY_SECONDS);
  }
  const long = new Date(Date.now() - 1);
  await notes().updateMany({}, { $set: { 'users.$[].until': long } });
  const end = await extendHistory(client);
  expect(await present()).toBe(HISTORY_SECONDS);
  await end();
  expect(await present()).toBe(90);
});

test('a server that keeps more than a backup asks for keeps it', async () => {
  await set(10_000);
  const end = await extendHistory(client);
  expect(await present()).toBe(10_000);
  await end();
  expect(await present()).toBe(10_000);
  await set(90);
});

test('what somebody sets meanwhile stays', async () => {
  const end = await extendHistory(client);
  await set(9_000);
  await end();
  expect(await present()).toBe(9_000);
  await set(90);
});

test('what another backup set back in the moment when this one began is asked for again', async () => {
  const end = await extendHistory(client, 20);
  await set(90);
  const deadline = Date.now() + 10_000;
  while ((await present()) !== HISTORY_SECONDS && Date.now() < deadline) await delay(10);
  expect(await present()).toBe(HISTORY_SECONDS);
  await end();
  expect(await present()).toBe(90);
});

test('a server that was not the one that was asked keeps what it was started with', async () => {
  const end = await extendHistory(client);
  await mongod.stop();
  mongod = await startAgain();
  await end();
  expect(await present()).toBe(90);
});

test('where it may not be changed nothing is, and no note is left', async () => {
  await notes().deleteMany({});
  const failing = (mode: string, data = {}) =>
    admin({ configureFailPoint: 'failCommand', mode, data });
  await failing('alwaysOn', { failCommands: ['setParameter'], errorCode: unauthorized });
  const end = await extendHistory(client);
  expect([await present(), await notes().countDocuments()]).toEqual([90, 0]);
  await end();
  await failing('off');
  expect(await present()).toBe(90);
});
