import type { Lease } from '@bomtrail/mongo';
import { createLogger } from '@bomtrail/telemetry';
import { Registry } from 'prom-client';
import { createSweepMetrics, eachAlone, startSweep } from './sweep';

const log = createLogger({ service: 'test', level: 'silent', format: 'json' });
const lease: Lease = {
  token: 1,
  renew: async () => true,
  guard: async () => {},
  release: async () => {},
};

/** Runs a sweep once; its runs by result. */
async function runsOf(run: () => Promise<number>) {
  const metrics = createSweepMetrics(new Registry());
  const deps = { leases: { acquire: async () => lease }, log, tracer: undefined, metrics };
  await startSweep({ name: 'work', everySeconds: 3600, run }, deps).stop();
  const { values } = await metrics.runs.get();
  return Object.fromEntries(values.map(({ labels, value }) => [labels.result, value]));
}

test('items that fail do not stop the others, and the run counts as failed: the alert relies on it', async () => {
  const tried: string[] = [];
  const runs = await runsOf(() =>
    eachAlone(
      ['bad', 'good'],
      async (item) => {
        tried.push(item);
        if (item === 'bad') throw new Error('no answer');
      },
      log,
    ),
  );
  expect(tried).toEqual(['bad', 'good']);
  expect(runs).toEqual({ done: 0, failed: 1 });
});

test('a run whose items all succeed counts as done', async () => {
  expect(await runsOf(() => eachAlone([1, 2], async () => {}, log))).toEqual({
    done: 1,
    failed: 0,
  });
});
