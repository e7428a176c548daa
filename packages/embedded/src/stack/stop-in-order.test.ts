import { stopInOrder } from './stop-in-order';
import type { Supervised } from './supervise';

test('the proxy ends first, then the gateway, and mongod last', async () => {
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
  await stopInOrder(['mongod', 'nats-server', 'ingest', 'gateway', 'proxy', 'catalog'].map(one));
  expect(ended).toEqual(['proxy', 'gateway', 'ingest', 'catalog', 'nats-server', 'mongod']);
});
