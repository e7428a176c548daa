import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { repositoryRoot } from './support/real-data';

const deadlineMs = 900_000;

/** Those that share a stack, and the lists; the others start up to three stacks each, which takes too long here. */
const scenarios = [
  'idle-latency',
  'backlog-new-sets',
  'nightly-fleet',
  'identical-bytes',
  'accept-rate-proxied',
  'grpc-accept-rate',
  'one-service',
  'beside-a-backlog',
  'big-document-5000',
  'fleet-release',
  'active-list-1m',
];

let folder: string;
let bench: ChildProcess | undefined;

beforeAll(() => (folder = mkdtempSync(path.join(tmpdir(), 'bomtrail-bench-smoke-'))));
afterAll(async () => {
  // After a failure it may still run: it stops its stack by itself.
  if (bench?.exitCode === null && bench.kill()) await once(bench, 'exit');
  rmSync(folder, { recursive: true, force: true });
});

test(
  'most scenarios of the bench run through, and every answer in them is right',
  async () => {
    const main = path.join(repositoryRoot, 'bench', 'dist', 'main.js');
    const file = path.join(folder, 'report.json');
    const only = ['--scenario', scenarios.join()];
    const child = spawn(process.execPath, [main, '--smoke', ...only, '--json', file]);
    bench = child;
    let said = '';
    child.stdout.resume();
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new Error(said);
    const report = JSON.parse(readFileSync(file, 'utf8')) as { scenarios: { runs: unknown[] }[] };
    expect(report.scenarios).toHaveLength(scenarios.length);
    for (const { runs } of report.scenarios) expect(runs).toHaveLength(1);
  },
  deadlineMs,
);
