import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import {
  freePort,
  locateServers,
  onFreePort,
  serverCacheDir,
  startMongod,
  startNats,
  type RunningServer,
} from '@bomtrail/embedded';
import { BenchFailure } from '../bench-failure';
import { calibrate, type Calibration } from '../measure/calibration';
import { repositoryRoot } from '../places';
import type { BenchDeps } from '../run-bench';
import type { ListsArguments } from './lists-arguments';

/** What the reconciler's `measure/main.js` prints. */
export interface MeasuredLists {
  databases: {
    rows: number;
    listed: number;
    ledgers: number;
    dataBytes: number;
    indexBytes: number;
    /** Bytes by name. */
    indexes: Record<string, number>;
    /** Listed rows by filter. */
    scopes: Record<string, number>;
    prepareSeconds: number;
  }[];
  /** Milliseconds of each kind of question, by database. */
  questions: { scope: string; sort: string; page: string; ms: number[][] }[];
}

export interface ListsReport extends MeasuredLists {
  calibration: { before: Calibration; after: Calibration };
}

/** The cache of each mongod: more than the indexes that one question needs, less than a large database. */
const cacheSizeGb = 0.75;

/** Fills databases of several sizes, or takes those that are kept, and measures the lists of each. */
export async function runLists(args: ListsArguments, deps: BenchDeps): Promise<ListsReport> {
  const folder = args.keep ?? mkdtempSync(join(tmpdir(), 'bomtrail-lists-'));
  mkdirSync(folder, { recursive: true });
  const running: RunningServer[] = [];
  try {
    const before = calibrate(folder);
    const { mongod, natsServer } = await locateServers({
      cacheDir: serverCacheDir(),
      say: deps.say,
    });
    const databases = [];
    for (const rows of args.sizes) {
      const dataDir = join(folder, String(rows));
      mkdirSync(dataDir, { recursive: true });
      const database = await onFreePort(freePort, (port) =>
        startMongod({ binary: mongod, dataDir: join(dataDir, 'mongodb'), port, cacheSizeGb }),
      );
      running.push(database);
      const bus = await onFreePort(freePort, (port) =>
        startNats({ binary: natsServer, dataDir: join(dataDir, 'nats'), port }),
      );
      running.push(bus);
      databases.push({ rows, mongodbUri: database.url, natsUrl: bus.url });
    }
    const { samples, minutes } = args;
    const measured = await measure({ databases, samples, seconds: minutes * 60 }, deps);
    const report = { ...measured, calibration: { before, after: calibrate(folder) } };
    if (args.json !== undefined) writeFileSync(args.json, JSON.stringify(report));
    return report;
  } finally {
    for (const server of running.reverse()) await server.stop();
    if (args.keep === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(order: unknown, { signal, say }: BenchDeps): Promise<MeasuredLists> {
  const program = join(repositoryRoot(), 'services', 'reconciler', 'dist', 'measure', 'main.js');
  const child = spawn(process.execPath, ['--enable-source-maps', program, JSON.stringify(order)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (said + chunk).split('\n');
    said = lines.pop() ?? '';
    lines.forEach(say);
  });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  if (code !== 0) throw new BenchFailure(`the measurement ended with ${code}: ${said}`);
  return JSON.parse(output.split('\n').filter(Boolean).at(-1) ?? '') as MeasuredLists;
}
