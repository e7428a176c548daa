import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { startTestServers, type TestServers } from '@bomtrail/testkit';
import { createLogger } from '@bomtrail/telemetry';
import { connectDatabase, type Database } from './connect';

let servers: TestServers;
let line: Server;
let database: Database;
const sockets = new Set<Socket>();
let hangs = false;

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
