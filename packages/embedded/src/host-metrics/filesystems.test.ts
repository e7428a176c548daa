import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, type StatsFs } from 'node:fs';
import { readFile, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Family } from './family';
import { filesystemReader } from './filesystems';
import { exposeHost } from './exposition';
import { hostCollectors } from './host-families';

const mounts = ['/gone', '/'].map((mountpoint) => ({
  device: 'd',
  mountpoint,
  fstype: 'nfs',
  readonly: false,
}));

/** Of which places a metric speaks, and with what. */
function samplesOf(families: Family[], name: string): [string, number][] {
  const samples = families.find((one) => one.name === `node_filesystem_${name}`)?.samples ?? [];
  return samples.map(({ labels, value }) => [labels?.['mountpoint'] ?? '', value]);
}

test('a drive that does not answer holds nothing up, and is asked again only when it has', async () => {
  const pending: string[] = [];
  let answer: (stat: StatsFs) => void = () => undefined;
  const read = filesystemReader((path) => {
    pending.push(path);
    if (path === '/') return statfs('/');
    return new Promise((resolve) => (answer = resolve));
  }, 1_000);
  for (let scrape = 0; scrape < 3; scrape++) {
    const families = await read(mounts);
    expect(samplesOf(families, 'device_error')).toEqual([
      ['/gone', 1],
      ['/', 0],
    ]);
    expect(samplesOf(families, 'size_bytes').map(([path]) => path)).toEqual(['/']);
  }
  expect(pending.filter((path) => path === '/gone')).toHaveLength(1);

  answer(await statfs('/'));
  await statfs('/');
  // What it answered late is the past: it is asked anew.
  const again = read(mounts);
  await statfs('/');
  answer(await statfs('/'));
  expect(samplesOf(await again, 'device_error')).toEqual([
    ['/gone', 0],
    ['/', 0],
  ]);
  expect(pending.filter((path) => path === '/gone')).toHaveLength(2);
});

test('while every thread for files waits for drives that have gone, the rest is told', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'bomtrail-drives-'));
  const threads = Number(process.env['UV_THREADPOOL_SIZE'] ?? 4);
  const drives = Array.from({ length: threads }, (_, n) => path.join(folder, String(n)));
  execFileSync('mkfifo', drives);
  // Nobody writes: to open one for reading does not end, and keeps a thread.
  const waiting = drives.map((drive) => readFile(drive));
  try {
    const { filesystem: _, ...rest } = hostCollectors('linux');
    const { text } = await exposeHost(rest);
    expect(text).toMatch(/^node_cpu_seconds_total/m);
    expect(text).not.toMatch(/^node_scrape_collector_success.* 0$/m);
  } finally {
    for (const drive of drives) closeSync(openSync(drive, 'r+'));
    await Promise.all(waiting);
    rmSync(folder, { recursive: true });
  }
});
