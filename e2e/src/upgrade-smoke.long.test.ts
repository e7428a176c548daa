import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { repositoryRoot } from './support/real-data';
import { makeBundles } from './support/shipped';

const deadlineMs = 600_000;
const processCount = 12;

test(
  'all processes of a release are replaced under load: no request fails, nothing is lost, each alert comes once',
  async () => {
    await makeBundles();
    const folder = await mkdtemp(path.join(tmpdir(), 'bomtrail-upgrade-smoke-'));
    const json = path.join(folder, 'report.json');
    const main = path.join(repositoryRoot, 'chaos', 'dist', 'upgrade', 'main.js');
    const bundles = path.join(repositoryRoot, 'dist', 'images');
    const args = ['--from', bundles, '--seed', '5', '--json', json];
    const said = await new Promise<string>((resolve) => {
      execFile(process.execPath, [main, ...args], (error, out, stderr) =>
        resolve(error ? `${out}\n${stderr}` : ''),
      );
    });
    if (said !== '') throw new Error(said);
    const report = JSON.parse(await readFile(json, 'utf8')) as {
      phases: { processes: unknown[]; sent: number; failed: number; alerts: number }[];
      differences: unknown[];
    };
    const [upgrade] = report.phases;
    expect([upgrade?.processes.length, upgrade?.failed]).toEqual([processCount, 0]);
    expect(upgrade?.sent).toBeGreaterThan(100);
    expect(upgrade?.alerts).toBeGreaterThan(10);
    expect(report.differences).toEqual([]);
    await rm(folder, { recursive: true });
  },
  deadlineMs,
);
