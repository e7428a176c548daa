import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { locateServer, serverCacheDir } from '@bomtrail/embedded';
import { attachmentStream, scanCompleted, streams } from '@bomtrail/messages';
import {
  connectTestBus,
  eventually,
  startNatsCluster,
  startTestServers,
  type NatsCluster,
  type TestServers,
} from '@bomtrail/testkit';
import { headers } from '@nats-io/transport-node';
import { createLogger } from '@bomtrail/telemetry';
import { SettingsError } from '@bomtrail/settings';
import { connectBus, type BusConnection } from './connect';
import { createPublishOrThrow } from './publish';
import { aReference } from './testing/references';

const log = createLogger({ service: 'test', level: 'fatal', format: 'json' });

function connectTo(NATS_URL: string, NATS_REPLICAS?: number): Promise<BusConnection> {
  return connectBus({ settings: { NATS_URL, NATS_REPLICAS }, service: 'catalog', log });
}

describe('on a server without a cluster', () => {
  let servers: TestServers;
  beforeAll(async () => {
    servers = await startTestServers();
  });
  afterAll(() => servers?.stop());

  test('replicas are rejected at once with the name of the setting, with and without streams', async () => {
    const httpError = {
      lines: ['NATS_REPLICAS: is 3, but the server at NATS_URL is not part of a cluster.'],
    };
    const refused = connectTo(servers.natsUrl, 3);
    await expect(refused).rejects.toBeInstanceOf(SettingsError);
    await expect(refused).rejects.toMatchObject(httpError);
    await (await connectTo(servers.natsUrl, 1)).nats.close();
    await expect(connectTo(servers.natsUrl, 3)).rejects.toMatchObject(httpError);
  });

  test('a message is stored exactly once when its stream accepts messages again', async () => {
    const test = await connectTestBus(servers.natsUrl);
    await test.connection.manager.streams.delete('EVENTS');
    // As while its servers choose another leader: nobody takes its subject, and it cannot be made.
    let rejections = 3;
    const choosing: BusConnection = {
      ...test.connection,
      async ensureStream(name) {
        if (rejections-- > 0) throw new Error('JetStream system temporarily unavailable');
        await test.connection.ensureStream(name);
      },
    };
    await createPublishOrThrow(choosing)(scanCompleted, aReference(1));
    await createPublishOrThrow(choosing)(scanCompleted, aReference(1));
    const { state } = await test.connection.manager.streams.info('EVENTS');
    expect(state.messages).toBe(1);
    expect(choosing.refusing.size).toBe(0);
    await test.close();
  });

  test('messages fail fast while a stream keeps rejecting them', async () => {
    const test = await connectTestBus(servers.natsUrl);
    await test.connection.manager.streams.delete('EVENTS');
    let asked = 0;
    const away: BusConnection = {
      ...test.connection,
      refusing: new Map([['EVENTS', Date.now() - 30_000]]),
      ensureStream: async () => void asked++,
    };
    await expect(createPublishOrThrow(away)(scanCompleted, aReference(2))).rejects.toThrow();
    expect(asked).toBe(1);
    await test.close();
  });
});

describe('on a cluster', () => {
  let folder: string;
  let cluster: NatsCluster;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'bomtrail-test-'));
    const say = (line: string) => process.stderr.write(`${line}\n`);
    const binary = await locateServer('nats-server', { cacheDir: serverCacheDir(), say });
    cluster = await startNatsCluster({ binary, dataDir: folder, size: 3 });
    await eventually(() => cluster.isWhole(), { what: 'the cluster is whole' });
  });
  afterAll(async () => {
    await cluster?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const names = [attachmentStream, ...streams.map(({ name }) => name)].sort();

  /** Every stream is on that many servers, and each server has heard of it. */
  async function isOn(replicas: number): Promise<void> {
    const wanted = names.map((name) => `${name} on ${replicas}`);
    const all = async (): Promise<void> => {
      const found = await cluster.streams();
      expect(found.map((one) => `${one.name} on ${one.replicas}`).sort()).toEqual(wanted);
    };
    await eventually(all, { what: `all streams are on ${replicas}` });
  }

  test('streams and the bucket follow the setting, stay unchanged without it, and lose no message', async () => {
    const first = await connectTo(cluster.url);
    await createPublishOrThrow(first)(scanCompleted, aReference(1));
    await first.bodies.pack('x'.repeat(1_000_000), null, headers());
    await isOn(1);
    await first.nats.close();

    for (const [setting, expected] of [
      [3, 3],
      [undefined, 3],
      [1, 1],
    ] as const) {
      const bus = await connectTo(cluster.url, setting);
      await isOn(expected);
      const { state } = await bus.manager.streams.info('EVENTS');
      expect(state.messages).toBe(1);
      await bus.nats.close();
    }
  });
});
