import { stopInOrder } from './stop-in-order';
import type { Supervised } from './supervise';

test('the gateway ends first and mongod last', async () => {
  const ended: string[] = [];
  const one = (name: string): Supervised => ({
    name,
    pid: () => 1,
    givenUp: new Promise(() => undefined),
    kill: () => undefined,
    stop: async () => {
      await Promise.resolve();
      ended.push(name);
    },
  });
  await stopInOrder(['mongod', 'nats-server', 'ingest', 'gateway', 'catalog'].map(one));
  expect(ended).toEqual(['gateway', 'ingest', 'catalog', 'nats-server', 'mongod']);
});
