import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ConsumerDefinition, MessageDefinition } from '@bomtrail/messages';
import type { BusConnection } from '@bomtrail/messaging';
import { connectTestBus, eventually } from '@bomtrail/testkit';
import { MongoClient, type Collection, type Db } from 'mongodb';
import { startTestStack, type TestStack } from '../test-stack';

export type AnyMessage = Pick<MessageDefinition<unknown>, 'name' | 'stream'>;
export type AnyConsumer = Pick<ConsumerDefinition<unknown>, 'durable'> & { message: AnyMessage };

/** What the tests read and change of an SBOM record. */
export interface StoredSbom {
  _id: string;
  digest: string;
  retry_at?: Date;
  created_at: Date;
  scan_status: string;
}

/** The whole product, with its bus and its databases at hand. */
export interface BusHarness {
  /** Another one after `restart`. */
  running: TestStack;
  bus: BusConnection;
  sboms: Collection<StoredSbom>;
  sets: Collection<{ _id: string }>;
  /** What is unfinished is asked for again by the next sweep instead of after some 20 seconds. */
  hurry(): Promise<void>;
  /** From now on no message comes to the consumer; its stream is empty. */
  pause(consumer: AnyConsumer): Promise<void>;
  resume(consumer: AnyConsumer): Promise<void>;
  /** How many messages have come to the consumer. */
  taken(consumer: AnyConsumer): Promise<number>;
  /** Waits until a message of the kind lies on its stream, then loses all of the stream. */
  losePublished(message: AnyMessage): Promise<void>;
  /** Stops everything, loses the bus with its folder, and starts again. */
  restartWithoutBus(): Promise<void>;
  stop(): Promise<void>;
}

const farFuture = new Date('2100-01-01T00:00:00Z');

/** @param env settings of the services */
export async function startBusHarness(env: Record<string, string>): Promise<BusHarness> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'bomtrail-e2e-bus-'));
  let mongo: MongoClient | undefined;
  const harness = {} as BusHarness;

  async function start(): Promise<void> {
    harness.running = await startTestStack({ dataDir, env });
    const servers = JSON.parse(await readFile(path.join(dataDir, 'servers.json'), 'utf8')) as {
      mongoUri: string;
      natsUrl: string;
    };
    harness.bus = (await connectTestBus(servers.natsUrl)).connection;
    mongo = await new MongoClient(servers.mongoUri).connect();
    harness.sboms = (await databaseOf(mongo, 'catalog')).collection('sboms');
    harness.sets = (await databaseOf(mongo, 'ingest')).collection('component_sets');
  }

  async function end(): Promise<void> {
    await harness.bus?.nats.close();
    await mongo?.close();
    await harness.running?.stop();
  }

  await start();
  return Object.assign<BusHarness, Omit<BusHarness, 'running' | 'bus' | 'sboms' | 'sets'>>(
    harness,
    {
      async hurry() {
        const now = new Date(0);
        await harness.sboms.updateMany(
          { retry_at: { $exists: true } },
          { $set: { retry_at: now } },
        );
        await harness.sboms.updateMany(
          { 'rescan.retry_at': { $exists: true } },
          { $set: { 'rescan.retry_at': now } },
        );
      },

      async pause({ message, durable }) {
        await harness.bus.manager.consumers.pause(message.stream, durable, farFuture);
        await harness.bus.manager.streams.purge(message.stream);
      },

      async resume({ message, durable }) {
        await harness.bus.manager.consumers.resume(message.stream, durable);
      },

      async taken({ message, durable }) {
        const { delivered } = await harness.bus.manager.consumers.info(message.stream, durable);
        return delivered.consumer_seq;
      },

      async losePublished({ name, stream }) {
        const { streams } = harness.bus.manager;
        const lies = async (): Promise<boolean> => {
          const { state } = await streams.info(stream, { subjects_filter: '>' });
          return Object.keys(state.subjects ?? {}).some((subject) => subject.startsWith(name));
        };
        await eventually(lies, { what: `${name} is published` });
        await streams.purge(stream);
      },

      async restartWithoutBus() {
        await end();
        await rm(path.join(dataDir, 'nats'), { recursive: true });
        await start();
      },

      async stop() {
        await end();
        await rm(dataDir, { recursive: true, force: true });
      },
    },
  );
}

async function databaseOf(client: MongoClient, service: string): Promise<Db> {
  const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true });
  return client.db(databases.find(({ name }) => name.endsWith(service))?.name);
}
