import { OperatorError } from '@bomtrail/terminal';
import { freePorts } from '../servers/free-port';
import { serviceProgram, type ServiceProgram } from './service-program';
import type { ServiceCommand } from './services';
import { supervise, type Supervised } from './supervise';
import { waitReady } from './wait-ready';

/** Startup takes a second or two, much longer under load. */
const READY_WITHIN_MS = 90_000;

/** The services of a stack. */
export interface ServiceGroup {
  /** Port of health and metrics by service name. */
  ports: ReadonlyMap<string, number>;
  /** Resolves to the reason when a service has failed for good. */
  failed: Promise<Error>;
}

export interface GroupOptions {
  services: ServiceCommand[];
  /** Settings of all services. */
  env: NodeJS.ProcessEnv;
  /** Settings of the gateway only. */
  gatewayEnv: NodeJS.ProcessEnv;
  /** Additional settings of a service, read at each of its starts. */
  envAtStart: (service: string) => Record<string, string>;
  logsDir: string;
  say: (line: string) => void;
  /** Called with each started service, so that it can be stopped if a later step fails. */
  onStarted: (service: Supervised, program: ServiceProgram) => void;
}

/** Starts all services and resolves once each responds with 200 to `GET /readyz`. */
export async function startServiceGroup(options: GroupOptions): Promise<ServiceGroup> {
  const { services, say } = options;
  const free = await freePorts(services.length);
  const ports = new Map(services.map((service, index) => [service.name, free[index] ?? 0]));
  const started: { supervised: Supervised; program: ServiceProgram }[] = [];
  for (const service of services) {
    const own = service.name === 'gateway' ? options.gatewayEnv : {};
    const port = String(ports.get(service.name));
    const env = (): NodeJS.ProcessEnv => ({
      ...options.env,
      ...own,
      INTERNAL_HTTP_PORT: port,
      ...options.envAtStart(service.name),
    });
    const program = serviceProgram({ service, env, logsDir: options.logsDir, say });
    const supervised = await supervise(program.program, say);
    options.onStarted(supervised, program);
    started.push({ supervised, program });
  }
  const failed = Promise.race(started.map(whenGivenUp));
  const ready = started.map(async ({ supervised, program }) => {
    const url = `http://127.0.0.1:${ports.get(supervised.name)}/readyz`;
    await untilReady({ name: supervised.name, url, program, failed });
  });
  await Promise.all(ready);
  return { ports, failed };
}

/** Waits for a 200. @throws Error if a service fails for good, or after 90 seconds */
export async function untilReady(options: {
  name: string;
  url: string;
  /** The expected service. */
  program: Pick<ServiceProgram, 'logFile' | 'lastError'>;
  failed: Promise<Error>;
}): Promise<void> {
  const { name, url, program } = options;
  const state: { failure?: Error } = {};
  void options.failed.then((failure) => {
    state.failure = failure;
  });
  const isOver = (): boolean => state.failure !== undefined;
  const last = await waitReady({ url, withinMs: READY_WITHIN_MS, isOver });
  if (last === undefined) return;
  if (state.failure !== undefined) throw state.failure;
  const problem = program.lastError();
  const said = problem === undefined ? '' : `; it last said: ${problem}`;
  throw new OperatorError(
    `${name} was not ready within ${READY_WITHIN_MS / 1000} s (last answer: ${last}${said}): see ${program.logFile}.`,
  );
}

async function whenGivenUp(service: {
  supervised: Supervised;
  program: ServiceProgram;
}): Promise<Error> {
  await service.supervised.givenUp;
  const words = service.program.lastWords().join('; ');
  const reason = words === '' ? `see ${service.program.logFile}` : words;
  return new OperatorError(`${service.supervised.name} cannot run with these settings: ${reason}`);
}
