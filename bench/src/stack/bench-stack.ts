import { builtServices, repositoryRoot, startStack } from '@bomtrail/embedded';
import { BenchFailure } from '../bench-failure';
import type { ProcessRef } from '../measure/process-usage';

/** The stack under test, on ports and in a folder of its own. */
export interface BenchStack {
  baseUrl: string;
  dataDir: string;
  grpcPort: number;
  apiKey: string;
  processes(): ProcessRef[];
  /** Metrics of a service in Prometheus' text format. */
  metrics(service: string): Promise<string>;
  /** Kills a process, which is then started again. */
  kill(service: string): void;
  stop(): Promise<void>;
}

/**
 * What must not come from the environment of the person at the terminal: servers elsewhere, which would be
 * loaded and whose cost could not be measured, and what costs time.
 */
const ownSettings: Record<string, string> = {
  HTTP_HOST: '127.0.0.1',
  LOG_FORMAT: 'json',
  LOG_LEVEL: 'warn',
  MONGODB_URI: '',
  NATS_URL: '',
  OTEL_TRACES_ENABLED: 'false',
};

export interface BenchStackOptions {
  dataDir: string;
  /** A folder in OSV's bulk layout. */
  advisorySource: string;
  /** Further settings. */
  env?: Record<string, string>;
  /** Processes of the scanner; 1 when not given. */
  scanners?: number;
  say: (line: string) => void;
}

/** Starts all processes. */
export async function startBenchStack(options: BenchStackOptions): Promise<BenchStack> {
  const stack = await startStack({
    dataDir: options.dataDir,
    httpPort: 0,
    services: servicesWith(options.scanners ?? 1),
    env: {
      ...ownSettings,
      ...options.env,
      BOMTRAIL_ADVISORY_SOURCE: options.advisorySource,
    },
    say: options.say,
  });
  return {
    baseUrl: stack.baseUrl,
    dataDir: options.dataDir,
    grpcPort: stack.grpcPort,
    apiKey: stack.apiKey,
    processes: () => stack.processes().map(running),
    metrics: async (service) => {
      const port = stack.processes().find(({ name }) => name === service)?.internalPort;
      return (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    },
    kill: (service) => stack.kill(service, 'SIGKILL'),
    stop: () => stack.stop(),
  };
}

function servicesWith(scanners: number): ReturnType<typeof builtServices> {
  const services = builtServices(repositoryRoot());
  const scanner = services.filter(({ name }) => name === 'scanner');
  const further = Array.from({ length: scanners - 1 }, (_, n) =>
    scanner.map((one) => ({ ...one, name: `scanner-${n + 2}` })),
  );
  return [...services, ...further.flat()];
}

function running(found: { name: string; pid: number | null }): ProcessRef {
  const { name, pid } = found;
  if (pid === null) throw new BenchFailure(`${name} has crashed`);
  return { name, pid };
}
