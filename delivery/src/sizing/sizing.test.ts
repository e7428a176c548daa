import { readFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '@bomtrail/embedded';
import { defaultStorageBytes, serviceNames } from '@bomtrail/messages';
import { parse } from 'yaml';
import { chartFile, readValues } from '../chart/files';
import { processes, uploadMs, type UploadKind } from './costs';
import { rateOn, sizingFor } from './model';
import { sizes } from './sizes';
import { gigabytes, readDemand, sizingLines } from './table';

const performance = readFileSync(path.join(repositoryRoot(), 'docs', 'performance.md'), 'utf8');

test('costs are those of docs/performance.md', () => {
  for (const name of processes) {
    const row = new RegExp(`^\\| ${name === 'nats' ? 'nats-server' : name} +\\|(.+)\\|$`, 'm');
    const cells = (row.exec(performance)?.[1] ?? '').split('|').map(Number);
    const [newSet, , release, nightly] = cells;
    expect([name, { newSet, release, nightly }]).toEqual([name, uploadMs[name]]);
  }
});

test.each<[string, UploadKind, number]>([
  ['new sets, new services', 'newSet', 77],
  ['fleet release', 'release', 102],
  ['nightly fleet', 'nightly', 158],
])('the rate of %s on two cores is predicted within a tenth', (row, kind, measured) => {
  expect(performance).toMatch(new RegExp(`^\\| ${row}.*\\| ${measured}\\b`, 'm'));
  const predicted = rateOn(2, kind);
  expect(predicted / measured).toBeGreaterThan(0.9);
  expect(predicted / measured).toBeLessThan(1.1);
});

test('more work needs more cores, more processes, longer queues, more disk and memory', () => {
  const [less, more] = [sizingFor(sizes.large), sizingFor(fortyTimes(sizes.large))];
  for (const name of processes)
    expect(more.parts[name].cores).toBeGreaterThan(less.parts[name].cores);
  expect(more.parts.gateway.replicas).toBeGreaterThan(less.parts.gateway.replicas);
  expect(more.parts.gateway.busy).toBeLessThanOrEqual(0.8);
  expect(more.queueMs).toBeGreaterThan(less.queueMs);
  expect(more.diskBytes).toBeCloseTo(40 * less.diskBytes);
  expect(more.mongodMemoryBytes).toBeGreaterThan(less.mongodMemoryBytes);
  expect(more.natsBytes).toBeGreaterThan(less.natsBytes);
});

function fortyTimes(demand: typeof sizes.large): typeof sizes.large {
  const { services, uploadsPerDay } = demand;
  return { ...demand, services: services * 40, uploadsPerDay: uploadsPerDay * 40 };
}

test('what was not measured is named', () => {
  expect(sizingFor(sizes.medium).extrapolated).toEqual([]);
  expect(sizingFor(sizes.large).extrapolated).toEqual(['tracked vulnerabilities']);
  expect(sizingLines(sizes.large).at(-1)).toContain('Extrapolated');
});

interface Block {
  replicas?: number;
  resources?: { requests?: { cpu?: string } };
}

describe.each(Object.entries(sizes))('%s', (name, demand) => {
  const text = readFileSync(chartFile('sizes', `${name}.yaml`), 'utf8');
  const values = parse(text) as Record<string, Block> & { nats?: { storageBytes?: number } };
  const chart = readValues() as Record<string, Block>;
  const needed = sizingFor(demand);

  test.each(serviceNames)('the value file gives %s what the model computes', (service) => {
    // As the chart merges them: a service's own block wins over `defaults`, wherever it stands.
    const blocks = [values[service], chart[service], values['defaults'], chart['defaults']];
    const replicas = Number(blocks.find((block) => block?.replicas !== undefined)?.replicas);
    const cpu = blocks.map((block) => block?.resources?.requests?.cpu).find(Boolean) ?? '';
    expect(replicas).toBeGreaterThanOrEqual(needed.parts[service].replicas);
    const cores = replicas * (cpu.endsWith('m') ? Number.parseInt(cpu, 10) / 1000 : Number(cpu));
    expect(cores).toBeGreaterThanOrEqual(needed.parts[service].cores);
  });

  test('the value file says what MongoDB needs, and gives NATS enough', () => {
    expect(text).toContain(`${gigabytes(needed.mongodMemoryBytes)} GB of memory`);
    expect(text).toContain(`${gigabytes(needed.diskBytes)} GB of disk`);
    expect(values.nats?.storageBytes ?? defaultStorageBytes).toBeGreaterThanOrEqual(
      needed.natsBytes,
    );
  });
});

test('a demand is read over a size, and a wrong one is refused with what is possible', () => {
  expect(readDemand(['large', '--services', '5'])).toEqual({ ...sizes.large, services: 5 });
  expect(readDemand(['--versions', '7'])).toEqual({ ...sizes.medium, versions: 7 });
  expect(() => readDemand(['huge'])).toThrow('small, medium, large');
  expect(() => readDemand(['--service', '5'])).toThrow('--services');
  expect(() => readDemand(['--services', '-5'])).toThrow('above 0');
  expect(() => readDemand(['--new-share', '0.9', '--release-share', '0.2'])).toThrow('together');
});
