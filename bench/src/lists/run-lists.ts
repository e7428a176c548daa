import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  freePort,
  locateServers,
  onFreePort,
  serverCacheDir,
  startMongod,
  startNats,
  type RunningServer,
} from '@bomtrail/embedded';
import { calibrate, type Calibration } from '../measure/calibration';
import type { BenchDeps } from '../run-bench';
import type { ListsArguments } from './lists-arguments';
import { runMeasureProgram } from './measure-program';

/** The output of the reconciler's `measure/main.js`. */
export interface MeasuredLists {
  databases: {
    vulnerabilities: number;
    open: number;
    states: number;
    dataBytes: number;
    indexBytes: number;
    /** Bytes by name. */
    indexes: Record<string, number>;
    /** Open vulnerabilities by filter. */
    scopes: Record<string, number>;
    prepareSeconds: number;
  }[];
  /** Milliseconds of each kind of request, by database. */
  requests: { scope: string; sort: string; page: string; ms: number[][] }[];
}

export interface ListsReport extends MeasuredLists {
  calibration: { before: Calibration; after: Calibration };
}

/** The cache of each mongod: more than the indexes that one request needs, less than a large database. */
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
    for (const vulnerabilities of args.sizes) {
      const dataDir = join(folder, String(vulnerabilities));
      mkdirSync(dataDir, { recursive: true });
      const database = await onFreePort(freePort, (port) =>
        startMongod({ binary: mongod, dataDir: join(dataDir, 'mongodb'), port, cacheSizeGb }),
      );
      running.push(database);
      const bus = await onFreePort(freePort, (port) =>
        startNats({ binary: natsServer, dataDir: join(dataDir, 'nats'), port }),
      );
      running.push(bus);
      databases.push({ vulnerabilities, mongodbUri: database.url, natsUrl: bus.url });
    }
    const { samples, minutes } = args;
    const order = { databases, samples, seconds: minutes * 60 };
    const measured = await runMeasureProgram<MeasuredLists>('main', order, deps);
    const report = { ...measured, calibration: { before, after: calibrate(folder) } };
    if (args.json !== undefined) writeFileSync(args.json, JSON.stringify(report));
    return report;
  } finally {
    for (const server of running.reverse()) await server.stop();
    if (args.keep === undefined) rmSync(folder, { recursive: true, force: true });
  }
}
