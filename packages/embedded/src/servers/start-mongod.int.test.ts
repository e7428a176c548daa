import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { serverCacheDir } from '../repository';
import { freePort } from './free-port';
import { locateServers } from './locate';
import type { RunningServer } from './running-server';
import { startMongod } from './start-mongod';

let folder: string;
let binary: string;
const started: RunningServer[] = [];

async function start(dataDir: string, port: number): Promise<RunningServer> {
  const server = await startMongod({ binary, dataDir: join(folder, dataDir), port });
  started.push(server);
  return server;
}

async function withClient<T>(url: string, use: (client: MongoClient) => Promise<T>): Promise<T> {
  const client = new MongoClient(url);
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

function pay(url: string, amount: number): Promise<unknown> {
  return withClient(url, (client) =>
    client.withSession((session) =>
      session.withTransaction(async () => {
        const books = client.db('shop').collection('books');
        await books.insertOne({ account: 'a', amount: -amount }, { session });
        await books.insertOne({ account: 'b', amount }, { session });
      }),
    ),
  );
}

function entries(url: string): Promise<number> {
  return withClient(url, (client) => client.db('shop').collection('books').countDocuments());
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bomtrail-mongod-'));
  binary = (await locateServers({ cacheDir: serverCacheDir(), say: () => undefined })).mongod;
});

afterAll(async () => {
  for (const server of started) server.kill('SIGKILL');
  await Promise.all(started.map((server) => server.exited));
  await rm(folder, { recursive: true, force: true });
});

describe('a mongod of our own', () => {
  test('keeps a committed transaction through a kill, on the same port', async () => {
    const server = await start('killed', await freePort());
    const before = server.pid;
    await pay(server.url, 5);
    await server.restart();
    expect(server.pid).not.toBe(before);
    expect(await entries(server.url)).toBe(2);
    await pay(server.url, 6);
    expect(await entries(server.url)).toBe(4);
  });

  test('keeps its data when it starts again on another port', async () => {
    const first = await start('moved', await freePort());
    await pay(first.url, 5);
    await first.stop();
    const second = await start('moved', await freePort());
    expect(second.port).not.toBe(first.port);
    expect(await entries(second.url)).toBe(2);
  });

  test('says that its port is taken, also when another mongod answers there', async () => {
    const first = await start('first', await freePort());
    await expect(start('second', first.port)).rejects.toMatchObject({ portTaken: true });
    expect(await entries(first.url)).toBe(0);
  });

  test('lets no transaction that its process left behind hold others up for long', async () => {
    const server = await start('left-behind', await freePort());
    const limit = await withClient(server.url, (client) =>
      client.db('admin').command({ getParameter: 1, transactionLifetimeLimitSeconds: 1 }),
    );
    expect(limit['transactionLifetimeLimitSeconds']).toBeLessThanOrEqual(15);
  });

  test('is not reachable from other machines', async () => {
    const server = await start('local', await freePort());
    const options = await withClient(server.url, (client) =>
      client.db('admin').command({ getCmdLineOpts: 1 }),
    );
    expect(options['parsed'].net.bindIp).toBe('127.0.0.1');
  });
});
