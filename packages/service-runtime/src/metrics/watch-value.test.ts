import { Registry } from 'prom-client';
import { singleFlight } from '@bomtrail/concurrency';
import { watchValue } from './watch-value';

test('what cannot be read is left out and counted; the others are told all the same', async () => {
  const registry = new Registry();
  let isBroken = false;
  watchValue(registry, { name: 'fragile', help: 'x' }, async () => {
    if (isBroken) throw new Error('away');
    return [{ value: 7 }];
  });
  let hanging = 0;
  watchValue(registry, { name: 'hanging', help: 'x', labelNames: ['a'] }, () => {
    hanging += 1;
    return new Promise(() => {});
  });
  watchValue(registry, { name: 'sound', help: 'x', labelNames: ['a'] }, async () => [
    { labels: { a: '1' }, value: 1 },
  ]);
  expect(await registry.metrics()).toMatch(/^fragile 7$/m);
  isBroken = true;
  const text = await registry.metrics();
  expect(text).not.toMatch(/^fragile \d/m);
  expect(text).not.toMatch(/^hanging\{/m);
  expect(text).toMatch(/^sound\{a="1"\} 1$/m);
  const unread = await registry.getSingleMetric('bomtrail_metric_unread_total')?.get();
  const counts = unread?.values.map(({ labels, value }) => [labels['metric'], value]);
  expect(counts).toEqual([
    ['fragile', 1],
    ['hanging', 2],
    ['sound', 0],
  ]);
  // What goes on unheard is not begun again beside it.
  expect(hanging).toBe(1);
}, 15_000);

test('gauges of the same facts read them once each time that the metrics are asked for', async () => {
  const registry = new Registry();
  let reads = 0;
  const read = singleFlight(async () => [{ value: (reads += 1) }]);
  for (const name of ['one', 'other']) watchValue(registry, { name, help: 'x' }, read);
  expect(await registry.metrics()).toMatch(/^one 1$[^]*^other 1$/m);
  expect(await registry.metrics()).toMatch(/^one 2$[^]*^other 2$/m);
});
