import { AppError, scanCompleted, scanRequested } from '@bomtrail/messages';
import {
  connectTestBus,
  eventually,
  startTestServers,
  type TestBus,
  type TestServers,
} from '@bomtrail/testkit';
import { createPublish } from './publish';
import { aReference } from './testing/references';

let servers: TestServers;
let bus: TestBus;

beforeEach(async () => {
  servers = await startTestServers();
  bus = await connectTestBus(servers.natsUrl);
});
afterEach(async () => {
  await bus?.close();
  await servers?.stop();
});

const within = 30_000;

test('a stream that stores nothing is detected while the connection is up, fails fast, and recovers after a restart', async () => {
  const { connection } = bus;
  const { health } = connection;
  expect(health.isStoring()).toBe(true);
  await bus.publish(scanCompleted, aReference(1));
  await servers.stopNatsWrites();
  const announced = createPublish(connection, bus.publish)(scanCompleted, aReference(2));
  await eventually(() => connection.refusing.size > 0, { within, what: 'a message is not stored' });
  await servers.allowNatsWrites();
  await eventually(() => health.isFailing('EVENTS'), { within, what: 'it is noticed' });
  expect(await announced).toBe(false);
  expect(connection.isUp()).toBe(true);
  expect([...health.failingSeconds().keys()]).toEqual(['EVENTS']);
  const refused = bus.publish(scanCompleted, aReference(3));
  await expect(refused).rejects.toBeInstanceOf(AppError);
  await bus.publish(scanRequested, aReference(1));

  await servers.restartNats();
  // Nobody publishes: a probe finds out.
  await eventually(() => health.isStoring(), { within, what: 'the stream stores messages again' });
  await bus.publish(scanCompleted, aReference(3));
});
