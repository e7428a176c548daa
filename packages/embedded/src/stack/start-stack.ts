import { join, resolve } from 'node:path';
import { OperatorError, systemCodeOf } from '@bomtrail/terminal';
import { repositoryRoot } from '../repository';
import { freePort } from '../servers/free-port';
import { firstApiKey, type FirstKey } from './api-key';
import { emptyFolder, lockFolder } from './folder-lock';
import { planFront } from './front';
import { restartNatsThatStoresNothing } from './restart-nats';
import { requireDiskSpace, requireHost, requireNode, requirePort } from './preconditions';
import { writeAddresses } from './server-addresses';
import { startServers } from './server-programs';
import { startServiceGroup, untilReady } from './service-group';
import type { ServiceProgram } from './service-program';
import { builtServices, type ServiceCommand } from './services';
import { stopInOrder } from './stop-in-order';
import type { Supervised } from './supervise';

export interface StackOptions {
  /** Data folder; created if missing. */
  dataDir: string;
  /** Port of the REST API; 0: any free one. */
  httpPort: number;
  /** Port of the gRPC API; any free one by default. */
  grpcPort?: number;
  /** Settings in addition to the environment. */
  env?: Record<string, string>;
  say: (line: string) => void;
  /** Empty the data folder first, once it is locked. */
  wipe?: boolean;
  /** Additional settings of a service, read at each of its starts. */
  envAtStart?: (service: string) => Record<string, string>;
  /** The services to run; by default those of the checkout. */
  services?: ServiceCommand[];
  /**
   * Whether to run the reverse proxy, with host metrics at `/metrics`; otherwise the base address is that of the
   * gateway.
   */
  proxied?: boolean;
}

/** A process of the stack; `pid` is null between a crash and the restart. */
export interface StackProcess {
  name: string;
  pid: number | null;
  /** Port of health and metrics; null for mongod and nats-server. */
  internalPort: number | null;
}

/** A running stack. */
export interface Stack {
  baseUrl: string;
  grpcPort: number;
  apiKey: string;
  apiKeyOrigin: FirstKey['origin'];
  apiKeyFile: string;
  processes(): StackProcess[];
  /** Sends a signal to a process, which its supervisor then restarts. */
  kill(name: string, signal: NodeJS.Signals): void;
  /** Resolves to the reason when a process has failed for good. */
  readonly failed: Promise<Error>;
  /** Stops proxy, gateway, services, nats-server and mongod, in this order. */
  stop(): Promise<void>;
}

/**
 * Starts mongod, nats-server and the services on one data folder and resolves once all are ready. On failure
 * everything is stopped.
 *
 * @throws OperatorError
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  requireNode();
  const dataDir = resolve(options.dataDir);
  const unlock = await lockFolder(dataDir);
  const running: Running = { supervised: [], programs: [], quiet: false };
  const stop = async (): Promise<void> => {
    running.quiet = true;
    running.endNatsWatch?.();
    await stopInOrder(running.supervised);
    await Promise.all(running.programs.map((program) => program.closeLog()));
    await running.takeBackAddresses?.();
    await unlock();
  };
  try {
    return await assemble({ ...options, dataDir }, running, stop);
  } catch (error) {
    await stop();
    if (systemCodeOf(error) !== 'ENOSPC') throw error;
    throw new OperatorError(`The disk of ${dataDir} is full: make room, and start again.`);
  }
}

/** Everything started so far. */
interface Running {
  supervised: Supervised[];
  programs: ServiceProgram[];
  takeBackAddresses?: () => Promise<void>;
  endNatsWatch?: () => void;
  /** True while stopping: suppresses connection errors of the services. */
  quiet: boolean;
}

async function assemble(
  options: StackOptions,
  running: Running,
  stop: () => Promise<void>,
): Promise<Stack> {
  const { dataDir } = options;
  const services = options.services ?? builtServices(repositoryRoot());
  const env: NodeJS.ProcessEnv = { ...process.env, ...options.env };
  const say = (line: string): void => {
    if (!running.quiet) options.say(line);
  };
  await requireDiskSpace(dataDir);
  // The gateway would name GRPC_HOST: the front passes this host on as that.
  if (env['HTTP_HOST']) await requireHost(env['HTTP_HOST'], 'HTTP_HOST');
  const httpPort = await chosenPort(options.httpPort, 'HTTP_PORT');
  const grpcPort = await chosenPort(options.grpcPort ?? 0, 'GRPC_PORT');
  if (options.wipe === true) await emptyFolder(dataDir);
  const apiKeyFile = join(dataDir, 'api-key');
  const key = await firstApiKey(apiKeyFile, env['BOMTRAIL_BOOTSTRAP_API_KEY']);
  const logsDir = join(dataDir, 'logs');
  const servers = await startServers({
    dataDir,
    logsDir,
    env,
    say,
    onStarted: (server) => void running.supervised.push(server),
  });
  running.takeBackAddresses = await writeAddresses(dataDir, servers);
  const common: NodeJS.ProcessEnv = {
    // Shorter than the time after which a service is killed.
    SHUTDOWN_GRACE_SECONDS: '8',
    ...env,
    MONGODB_URI: servers.mongoUri,
    NATS_URL: servers.natsUrl,
    BOMTRAIL_DATA_DIR: dataDir,
    INTERNAL_HTTP_HOST: '127.0.0.1',
  };
  const front = options.proxied === true ? await planFront({ httpPort }, common) : undefined;
  const transports = {
    HTTP_PORT: String(httpPort),
    GRPC_PORT: String(grpcPort),
    BOMTRAIL_BOOTSTRAP_API_KEY: key.key,
    ...front?.gatewayEnv,
  };
  const started = {
    logsDir,
    say,
    onStarted: (service: Supervised, program: ServiceProgram) => {
      running.supervised.push(service);
      running.programs.push(program);
    },
  };
  const groups = [
    await startServiceGroup({
      ...started,
      services,
      env: common,
      gatewayEnv: transports,
      envAtStart: options.envAtStart ?? (() => ({})),
    }),
  ];
  if (front !== undefined) {
    const frontEnv = front.env(groups[0]?.ports.get('gateway') ?? 0);
    groups.push(
      await startServiceGroup({
        ...started,
        services: front.programs,
        env: frontEnv,
        gatewayEnv: {},
        envAtStart: () => ({}),
      }),
    );
  }
  if (servers.nats !== undefined) {
    running.endNatsWatch = restartNatsThatStoresNothing({
      nats: servers.nats,
      natsDir: join(dataDir, 'nats'),
      say,
      ports: [...(groups[0]?.ports.values() ?? [])],
    });
  }
  const baseUrl = `http://127.0.0.1:${httpPort}`;
  const ports = new Map(groups.flatMap((group) => [...group.ports]));
  const failed = Promise.race(groups.map((group) => group.failed));
  const outermost = front === undefined ? 'gateway' : 'proxy';
  const transport = running.programs.find(({ program }) => program.name === outermost);
  if (transport === undefined) throw new Error('the gateway is not among the services');
  await untilReady({ name: 'The REST API', url: `${baseUrl}/readyz`, program: transport, failed });
  return {
    baseUrl,
    grpcPort,
    apiKey: key.key,
    apiKeyOrigin: key.origin,
    apiKeyFile,
    processes: () =>
      running.supervised.map((one) => ({
        name: one.name,
        pid: one.pid(),
        internalPort: ports.get(one.name) ?? null,
      })),
    kill: (name, signal) => {
      const one = running.supervised.find((candidate) => candidate.name === name);
      if (one === undefined) throw new Error(`there is no process ${name}`);
      one.kill(signal);
    },
    failed,
    stop,
  };
}

async function chosenPort(port: number, setting: string): Promise<number> {
  if (port === 0) return freePort();
  await requirePort(port, setting);
  return port;
}
