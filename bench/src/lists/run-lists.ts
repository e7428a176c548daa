import { writeFileSync } from 'node:fs';
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
import { calibrated, inFolder, type Calibrations } from '../measure/in-folder';
import type { BenchDeps } from '../run-bench';
import { runMeasureProgram } from './measure-program';

export interface ListsArguments {
  /** Tracked vulnerabilities of each database. */
  sizes: number[];
  samples: number;
  /** For all requests together, without the time that filling takes. */
  minutes: number;
  /** Folder in which filled databases are stored for reuse; undefined: a temporary one. */
  keep?: string;
  /** File for every figure. */
  json?: string;
}

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
  calibration: Calibrations;
}

/** The cache of each mongod: more than the indexes that one request needs, less than a large database. */
const cacheSizeGb = 0.75;

/** Fills databases of several sizes, or takes those that are kept, and measures the lists of each. */
export function runLists(args: ListsArguments, deps: BenchDeps): Promise<ListsReport> {
  return inFolder({ name: 'lists', ...args }, async (folder) => {
    const report = await calibrated(folder, () => measureIn(folder, args, deps));
    if (args.json !== undefined) writeFileSync(args.json, JSON.stringify(report));
    return report;
  });
}

async function measureIn(
  folder: string,
  { sizes, samples, minutes }: ListsArguments,
  deps: BenchDeps,
): Promise<MeasuredLists> {
  const running: RunningServer[] = [];
  try {
    const { mongod, natsServer } = await locateServers({
      cacheDir: serverCacheDir(),
      say: deps.say,
    });
    const databases = [];
    for (const vulnerabilities of sizes.toSorted((a, b) => a - b)) {
      const dataDir = join(folder, String(vulnerabilities));
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
    const order = { databases, samples, seconds: minutes * 60 };
    return await runMeasureProgram<MeasuredLists>('main', order, deps);
  } finally {
    for (const server of running.reverse()) await server.stop();
  }
}
