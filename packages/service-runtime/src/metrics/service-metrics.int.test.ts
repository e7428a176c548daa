import { deadLetterSubjectOf, reconcilerUploads } from '@bomtrail/messages';
import {
  connectTestBus,
  startTestServers,
  type TestBus,
  type TestServers,
} from '@bomtrail/testkit';
import { Registry } from 'prom-client';
import { registerServiceMetrics } from './service-metrics';

let servers: TestServers;
let bus: TestBus;

beforeAll(async () => {
  servers = await startTestServers();
  bus = await connectTestBus(servers.natsUrl);
});
afterAll(async () => {
  await bus?.close();
  await servers?.stop();
});

test('dead letters are counted by consumer until they are replayed or dropped', async () => {
  const consumerOf = (durable: string) => ({ ...reconcilerUploads, durable });
  const registry = new Registry();
  registerServiceMetrics(registry, {
    bus: bus.connection,
    consumers: ['with-letters', 'without-letters'].map(consumerOf),
    checks: async () => ({}),
  });
  const stored = async () => {
    const lines = (await registry.metrics()).split('\n');
    return lines.filter((line) => line.startsWith('bomtrail_dead_letters_stored{'));
  };
  const { jetstream, manager } = bus.connection;
  const sent = [1, 2].map(() => jetstream.publish(deadLetterSubjectOf('with-letters'), 'x'));
  const [first, second] = await Promise.all(sent);
  expect(await stored()).toEqual([
    'bomtrail_dead_letters_stored{consumer="with-letters"} 2',
    'bomtrail_dead_letters_stored{consumer="without-letters"} 0',
  ]);
  for (const letter of [first, second])
    await manager.streams.deleteMessage('DEAD', letter?.seq ?? 0);
  expect(await stored()).toEqual([
    'bomtrail_dead_letters_stored{consumer="with-letters"} 0',
    'bomtrail_dead_letters_stored{consumer="without-letters"} 0',
  ]);
});
