import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { serverCacheDir } from '../repository';
import { freePort } from './free-port';
import { locateServers } from './locate';
import type { RunningServer } from './running-server';
import { startNats } from './start-nats';

let folder: string;
let binary: string;
const started: RunningServer[] = [];

async function start(dataDir: string, port: number): Promise<RunningServer> {
  const server = await startNats({ binary, dataDir: join(folder, dataDir), port });
  started.push(server);
  return server;
}

async function withConnection<T>(
  server: RunningServer,
  use: (connection: NatsConnection) => Promise<T>,
): Promise<T> {
  const connection = await connect({ servers: server.url });
  try {
    return await use(connection);
  } finally {
    await connection.close();
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bomtrail-nats-'));
  binary = (await locateServers({ cacheDir: serverCacheDir(), say: () => undefined })).natsServer;
});

afterAll(async () => {
  for (const server of started) server.kill('SIGKILL');
  await Promise.all(started.map((server) => server.exited));
  await rm(folder, { recursive: true, force: true });
});

describe('a nats-server of our own', () => {
  test('keeps a stream and its messages through a kill', async () => {
    const server = await start('killed', await freePort());
    await withConnection(server, async (connection) => {
      const manager = await jetstreamManager(connection);
      await manager.streams.add({ name: 'work', subjects: ['work.>'] });
      const stream = jetstream(connection);
      for (let number = 0; number < 20; number++) await stream.publish(`work.${number}`, 'x');
    });
    await server.restart();
    await withConnection(server, async (connection) => {
      const manager = await jetstreamManager(connection);
      expect((await manager.streams.info('work')).state.messages).toBe(20);
    });
  });

  test('limits a message to 1 MiB unless told otherwise', async () => {
    const server = await start('limits', await freePort());
    await withConnection(server, (connection) => {
      expect(connection.info?.max_payload).toBe(1024 * 1024);
      return Promise.resolve();
    });
  });

  test('says that its port is taken, also when another nats-server answers there', async () => {
    const first = await start('first', await freePort());
    await expect(start('second', first.port)).rejects.toMatchObject({ portTaken: true });
  });
});
