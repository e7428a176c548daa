import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { repositoryRoot } from './support/real-data';

const deadlineMs = 300_000;
const minutes = '0.4';
const seed = '5';

test(
  'a short run of chaos ends with everything as it was acknowledged',
  async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'bomtrail-chaos-smoke-'));
    const json = path.join(folder, 'report.json');
    const main = path.join(repositoryRoot, 'chaos', 'dist', 'main.js');
    const args = ['--minutes', minutes, '--seed', seed, '--json', json];
    const said = await new Promise<string>((resolve) => {
      execFile(process.execPath, [main, ...args], (error, out, stderr) =>
        resolve(error ? `${out}\n${stderr}` : ''),
      );
    });
    if (said !== '') throw new Error(said);
    const report = JSON.parse(await readFile(json, 'utf8')) as Record<string, object>;
    expect(report).toMatchObject({ seed: Number(seed), differences: [] });
    expect(Object.keys(report['faults'] ?? {}).length).toBeGreaterThan(1);
    await rm(folder, { recursive: true });
  },
  deadlineMs,
);
