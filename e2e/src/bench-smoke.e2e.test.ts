import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { repositoryRoot } from './support/real-data';

const deadlineMs = 900_000;

let folder: string;
let bench: ChildProcess | undefined;

beforeAll(() => (folder = mkdtempSync(path.join(tmpdir(), 'bomtrail-bench-smoke-'))));
afterAll(async () => {
  // After a failure it may still run: it stops its stack by itself.
  if (bench?.exitCode === null && bench.kill()) await once(bench, 'exit');
  rmSync(folder, { recursive: true, force: true });
});

test(
  'every scenario of the bench runs through, and every answer in it is right',
  async () => {
    const main = path.join(repositoryRoot, 'bench', 'dist', 'main.js');
    const file = path.join(folder, 'report.json');
    const child = spawn(process.execPath, [main, '--smoke', '--json', file]);
    bench = child;
    let said = '';
    child.stdout.resume();
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new Error(said);
    const report = JSON.parse(readFileSync(file, 'utf8')) as { scenarios: { runs: unknown[] }[] };
    expect(report.scenarios.length).toBeGreaterThan(0);
    for (const { runs } of report.scenarios) expect(runs).toHaveLength(1);
  },
  deadlineMs,
);
