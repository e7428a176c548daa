import { BenchFailure } from '../bench-failure';
import { costBetween, readUsage, totalCpuSeconds, type ProcessUsage } from './process-usage';

function usage(fields: Partial<ProcessUsage>): ProcessUsage {
  const cost = { cpuSeconds: 1, rssBytes: 10, peakRssBytes: 20, writtenBytes: 4096 };
  return { name: 'scanner', pid: 7, ...cost, ...fields };
}

test('the cost of a run is the difference of the CPU and the memory at its end', () => {
  const before = [usage({}), usage({ name: 'mongod', pid: 8, cpuSeconds: 4 })];
  const after = [
    usage({ cpuSeconds: 1.5, rssBytes: 12, writtenBytes: 12288 }),
    usage({ name: 'mongod', pid: 8, cpuSeconds: 6 }),
  ];
  const cost = costBetween(before, after);
  expect(cost).toEqual([
    { name: 'scanner', cpuSeconds: 0.5, rssBytes: 12, peakRssBytes: 20, writtenBytes: 8192 },
    { name: 'mongod', cpuSeconds: 2, rssBytes: 10, peakRssBytes: 20, writtenBytes: 0 },
  ]);
  expect(totalCpuSeconds(cost)).toBe(2.5);
});

test('a process that was restarted in between spoils the run', () => {
  expect(() => costBetween([usage({})], [usage({ pid: 9 })])).toThrow('scanner was restarted');
});

test('a process that is new spoils the run', () => {
  expect(() => costBetween([], [usage({})])).toThrow(BenchFailure);
});

test('a process that is gone is an error that names it', async () => {
  await expect(readUsage([{ name: 'notifier', pid: 2 ** 30 }])).rejects.toThrow('notifier is gone');
});

test('this process is read with its CPU time and its memory', async () => {
  const [self] = await readUsage([{ name: 'self', pid: process.pid }]);
  const { user, system } = process.cpuUsage();
  expect(self?.cpuSeconds).toBeGreaterThan(0);
  expect(self?.cpuSeconds).toBeLessThanOrEqual((user + system) / 1e6 + 0.02);
  expect(self?.rssBytes).toBeGreaterThan(10 * 2 ** 20);
  expect(self?.peakRssBytes).toBeGreaterThanOrEqual(self?.rssBytes ?? Infinity);
});
