import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  freePort,
  locateServers,
  onFreePort,
  serverCacheDir,
  startMongod,
  startNats,
} from '@bomtrail/embedded';
import { MongoClient, type Db } from 'mongodb';
import { BenchFailure } from '../bench-failure';
import type { ProcessRef } from '../measure/process-usage';
import { repositoryRoot } from '../paths';

/** A scanner alone, with its servers, on free ports and in one folder. */
export interface LoneScanner {
  db: Db;
  processes(): ProcessRef[];
  stop(): Promise<void>;
}

const prefix = 'feed_load_';

/** Starts mongod, nats-server and the built scanner; the scanner begins with its load at once. */
export async function startLoneScanner(options: {
  folder: string;
  advisorySource: string;
  say: (line: string) => void;
}): Promise<LoneScanner> {
  const { folder, say } = options;
  mkdirSync(folder, { recursive: true });
  const binaries = await locateServers({ cacheDir: serverCacheDir(), say });
  const mongod = await onFreePort(freePort, (port) =>
    startMongod({ binary: binaries.mongod, dataDir: join(folder, 'mongodb'), port }),
  );
  const nats = await onFreePort(freePort, (port) =>
    startNats({ binary: binaries.natsServer, dataDir: join(folder, 'nats'), port }),
  );
  const scanner = startScanner({ ...options, mongodbUri: mongod.url, natsUrl: nats.url });
  const client = await new MongoClient(mongod.url).connect();
  return {
    db: client.db(`${prefix}scanner`),
    processes() {
      if (scanner.pid === undefined || scanner.exitCode !== null)
        throw new BenchFailure(`the scanner ended: see ${join(folder, 'scanner.log')}`);
      return [
        { name: 'scanner', pid: scanner.pid },
        { name: 'mongod', pid: mongod.pid },
      ];
    },
    async stop() {
      await client.close();
      if (scanner.exitCode === null) {
        scanner.kill('SIGTERM');
        await once(scanner, 'exit');
      }
      await nats.stop();
      await mongod.stop();
    },
  };
}

function startScanner(options: {
  folder: string;
  advisorySource: string;
  mongodbUri: string;
  natsUrl: string;
}): ChildProcess {
  const program = join(repositoryRoot(), 'services', 'scanner', 'dist', 'main.js');
  const child = spawn(process.execPath, ['--enable-source-maps', program], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      MONGODB_URI: options.mongodbUri,
      MONGODB_DATABASE_PREFIX: prefix,
      NATS_URL: options.natsUrl,
      INTERNAL_HTTP_PORT: '0',
      INTERNAL_HTTP_HOST: '127.0.0.1',
      BOMTRAIL_ADVISORY_SOURCE: options.advisorySource,
      BOMTRAIL_FEED_INTERVAL_SECONDS: '1',
    },
  });
  const log = createWriteStream(join(options.folder, 'scanner.log'), { flags: 'a' });
  child.stdout?.pipe(log);
  child.stderr?.pipe(log);
  return child;
}
