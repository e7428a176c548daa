import { stopInOrder } from './stop-in-order';
import type { Supervised } from './supervise';

/** Processes that end as they are told to; `waits`: first for another one to be told. */
function processes(names: string[], waits: Record<string, string> = {}) {
  const ended: string[] = [];
  const stopped = new Map<string, () => void>();
  const isStopped = new Map(
    names.map((name) => [name, new Promise<void>((resolve) => stopped.set(name, resolve))]),
  );
  const all = names.map((name): Supervised => ({
    name,
    pid: () => 1,
    givenUp: new Promise(() => undefined),
    kill: () => undefined,
    stop: async () => {
      stopped.get(name)?.();
      await isStopped.get(waits[name] ?? name);
      ended.push(name);
    },
  }));
  return { all, ended };
}

test('the doors end first, then the work behind them, and mongod last', async () => {
  const names = ['mongod', 'nats-server', 'ingest', 'gateway', 'proxy', 'catalog'];
  const { all, ended } = processes(names);
  await stopInOrder(all);
  expect(ended.slice(0, 2).sort()).toEqual(['gateway', 'proxy']);
  expect(ended.slice(2)).toEqual(['ingest', 'catalog', 'nats-server', 'mongod']);
});

test('a proxy whose readers the gateway holds back until it is told ends with it', async () => {
  const { all, ended } = processes(['gateway', 'proxy', 'mongod'], { proxy: 'gateway' });
  await stopInOrder(all);
  expect(ended).toHaveLength(3);
});
