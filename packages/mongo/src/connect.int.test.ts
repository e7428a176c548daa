import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort, locateServers, REPLICA_SET, serverCacheDir } from '@bomtrail/embedded';
import { eventually, startTestServers, type TestServers } from '@bomtrail/testkit';
import { createLogger } from '@bomtrail/telemetry';
import { connectDatabase, type Database } from './connect';

let servers: TestServers;
let line: Server;
let database: Database;
const sockets = new Set<Socket>();
let hangs = false;

const connectTo = (MONGODB_URI: string): Promise<Database> =>
  connectDatabase({
    settings: { MONGODB_URI },
    name: 'refused',
    log: createLogger({ service: 'test', level: 'fatal', format: 'text' }),
  });

beforeAll(async () => {
  servers = await startTestServers();
  const mongod = new URL(servers.mongoUri.replace(/^mongodb:/, 'http:'));
  line = createServer((client) => {
    const server = connect(Number(mongod.port), mongod.hostname);
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => !hangs && to.write(bytes));
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
    }
  }).listen(0, '127.0.0.1');
  await once(line, 'listening');
  const { port } = line.address() as AddressInfo;
  database = await connectDatabase({
    settings: { MONGODB_URI: `mongodb://127.0.0.1:${port}/?directConnection=true` },
    name: `${servers.prefix}connect`,
    log: createLogger({ service: 'test', level: 'fatal', format: 'text' }),
  });
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  line?.close();
  await database?.client.close();
  await servers?.stop();
});

test('a server that refuses the connection is reported once, not with every attempt', async () => {
  const warned: string[] = [];
  const debugged: string[] = [];
  const silent = createLogger({ service: 'test', level: 'fatal', format: 'text' });
  const into = (reasons: string[]) => ({
    value: ({ reason }: { reason: string }) => void reasons.push(reason),
  });
  const user = `${servers.prefix}late`;
  const connecting = connectDatabase({
    settings: { MONGODB_URI: servers.mongoUri, MONGODB_USERNAME: user, MONGODB_PASSWORD: 'secret' },
    name: `${servers.prefix}late`,
    log: Object.create(silent, { warn: into(warned), debug: into(debugged) }),
  });
  await eventually(() => debugged.length >= 2, { what: 'it is tried several times' });
  const admin = database.client.db('admin');
  await admin.command({ createUser: user, pwd: 'secret', roles: ['readAnyDatabase'] });
  const { client } = await connecting;
  await client.close();
  await admin.command({ dropUser: user });
  expect(warned).toEqual(['Authentication failed.']);
});

describe('A mongod without a replica set', () => {
  let folder: string;
  let mongod: ChildProcess;
  let port: number;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'bomtrail-standalone-'));
    const say = (): void => undefined;
    const binaries = await locateServers({ cacheDir: serverCacheDir(), say });
    port = await freePort();
    const args = ['--dbpath', folder, '--port', String(port), '--bind_ip', '127.0.0.1'];
    mongod = spawn(binaries.mongod, [...args, '--nounixsocket'], { stdio: 'ignore' });
  });
  afterAll(async () => {
    const exited = once(mongod, 'exit');
    mongod.kill('SIGKILL');
    await exited;
    await rm(folder, { recursive: true, force: true });
  });

  test.each(['', '?replicaSet=rs0'])(
    'is refused by name: it answers pings, but no upload could be stored (%s)',
    async (query) => {
      await expect(connectTo(`mongodb://127.0.0.1:${port}/${query}`)).rejects.toMatchObject({
        lines: [
          expect.stringMatching(/^MONGODB_URI: its server is a mongod without a replica set/),
        ],
      });
    },
  );
});

test('a replica set of another name than that of the URI is refused with both names', async () => {
  const { host } = new URL(servers.mongoUri.replace(/^mongodb:/, 'http:'));
  await expect(connectTo(`mongodb://${host}/?replicaSet=wrong`)).rejects.toMatchObject({
    lines: [
      `MONGODB_URI: no server in it is a member of its replicaSet 'wrong', but of '${REPLICA_SET}'.`,
    ],
  });
});

describe('Whether the database is up', () => {
  test('is known soon also where it takes what it is sent and never answers', async () => {
    expect(await database.isUp()).toBe(true);
    hangs = true;
    const before = performance.now();
    expect(await database.isUp()).toBe(false);
    expect(performance.now() - before).toBeLessThan(2_000);
    hangs = false;
    expect(await database.isUp()).toBe(true);
  });
});
