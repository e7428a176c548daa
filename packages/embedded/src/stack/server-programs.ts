import { join } from 'node:path';
import { serverCacheDir } from '../repository';
import { freePort } from '../servers/free-port';
import { locateServer } from '../servers/locate';
import type { RunningServer } from '../servers/running-server';
import { onFreePort } from '../servers/start-failure';
import { startMongod } from '../servers/start-mongod';
import { startNats } from '../servers/start-nats';
import { rotateLog } from './log-file';
import { supervise, type Supervised } from './supervise';

const GRACE_MS = 10_000;

/** Addresses of MongoDB and NATS, and which of them run under supervision. */
export interface Servers {
  mongoUri: string;
  natsUrl: string;
  mongod?: Supervised;
  nats?: Supervised;
}

/**
 * Uses the servers of `MONGODB_URI` and `NATS_URL`; starts those not set, with data in `<dataDir>/mongod` and
 * `<dataDir>/nats`. `onStarted` gets each one at once, so that it can be stopped if a later step fails.
 */
export async function startServers(options: {
  dataDir: string;
  logsDir: string;
  env: NodeJS.ProcessEnv;
  say: (line: string) => void;
  onStarted: (server: Supervised) => void;
}): Promise<Servers> {
  const { env, say } = options;
  const [mongod, nats] = await Promise.allSettled([
    external(env['MONGODB_URI']) ?? ownServer('mongod', options),
    external(env['NATS_URL']) ?? ownServer('nats-server', options),
  ]);
  if (mongod.status === 'rejected') throw mongod.reason;
  if (nats.status === 'rejected') throw nats.reason;
  if (mongod.value.supervised === undefined) say('Using the MongoDB that MONGODB_URI names.');
  if (nats.value.supervised === undefined) say('Using the NATS server that NATS_URL names.');
  return {
    mongoUri: mongod.value.url,
    natsUrl: nats.value.url,
    mongod: mongod.value.supervised,
    nats: nats.value.supervised,
  };
}

interface Server {
  url: string;
  supervised?: Supervised;
}

function external(url: string | undefined): Server | undefined {
  return url === undefined || url === '' ? undefined : { url };
}

/** Chooses a port at the start and keeps it over crashes. */
async function ownServer(
  kind: 'mongod' | 'nats-server',
  options: Parameters<typeof startServers>[0],
): Promise<Server> {
  const { say, dataDir } = options;
  const binary = await locateServer(kind, { cacheDir: serverCacheDir(options.env), say });
  const logFile = join(options.logsDir, `${kind}.log`);
  rotateLog(logFile);
  const start = (port: number): Promise<RunningServer> =>
    kind === 'mongod'
      ? startMongod({ binary, dataDir: join(dataDir, 'mongod'), port, logFile })
      : startNats({ binary, dataDir: join(dataDir, 'nats'), port, logFile });
  const first = await onFreePort(freePort, start);
  let launched = false;
  const supervised = await supervise(
    {
      name: kind,
      graceMs: GRACE_MS,
      launch: () => {
        if (launched) return start(first.port);
        launched = true;
        return Promise.resolve(first);
      },
    },
    say,
  );
  options.onStarted(supervised);
  return { url: first.url, supervised };
}
