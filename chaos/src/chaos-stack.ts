import { setTimeout as sleep } from 'node:timers/promises';
import { startStack, type ServiceCommand, type Stack } from '@bomtrail/embedded';

/** The stack under test, with what the faults need. */
export interface ChaosStack {
  stack: Stack;
  /** The process id of a process that runs; waits for one that is being started. */
  pidOf(process: string): Promise<number>;
  /** At its next start that is not spoken for the service crashes at this fault point, and at no later one. */
  arm(service: string, point: string): void;
  /** Waits until every process runs and each service says that it is ready. Gives how long that took; null: too long. */
  untilReady(withinMs: number): Promise<number | null>;
}

/** What must not come from the environment of the person at the terminal. */
const ownSettings = {
  HTTP_HOST: '127.0.0.1',
  LOG_FORMAT: 'json',
  LOG_LEVEL: 'info',
  MONGODB_URI: '',
  NATS_URL: '',
  RATE_LIMIT_PER_MINUTE: '0',
};
const pollMs = 50;
const startMs = 60_000;
const answerMs = 2_000;

export async function startChaosStack(options: {
  dataDir: string;
  advisories: string;
  env: Record<string, string>;
  /** What to run, and further settings of one of it; the six services by default. */
  services?: ServiceCommand[];
  serviceEnv?: Record<string, Record<string, string>>;
  say: (line: string) => void;
}): Promise<ChaosStack> {
  const armed = new Map<string, string[]>();
  const stack = await startStack({
    dataDir: options.dataDir,
    httpPort: 0,
    env: { ...ownSettings, BOMTRAIL_ADVISORY_SOURCE: options.advisories, ...options.env },
    envAtStart(service): Record<string, string> {
      const point = armed.get(service)?.shift();
      const own = options.serviceEnv?.[service] ?? {};
      return point === undefined ? own : { ...own, BOMTRAIL_TEST_CRASH_AT: point };
    },
    ...(options.services ? { services: options.services } : {}),
    say: options.say,
  });
  const find = (name: string) => stack.processes().find((one) => one.name === name);

  async function isReady(): Promise<boolean> {
    const all = stack.processes();
    if (all.some(({ pid }) => pid === null)) return false;
    const ports = all.flatMap(({ internalPort }) => internalPort ?? []);
    return (await Promise.all(ports.map(answersReady))).every(Boolean);
  }

  return {
    stack,
    arm(service, point) {
      const points = armed.get(service) ?? [];
      points.push(point);
      armed.set(service, points);
    },
    async pidOf(process) {
      for (const begun = Date.now(); Date.now() - begun < startMs; await sleep(pollMs)) {
        const pid = find(process)?.pid;
        if (pid) return pid;
      }
      throw new Error(`${process} was not started again within ${startMs / 1000} s`);
    },
    async untilReady(withinMs) {
      const begun = Date.now();
      while (!(await isReady())) {
        if (Date.now() - begun > withinMs) return null;
        await sleep(pollMs);
      }
      return Date.now() - begun;
    },
  };
}

async function answersReady(port: number): Promise<boolean> {
  const signal = AbortSignal.timeout(answerMs);
  try {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`, { signal });
    const { status } = (await response.json()) as { status: string };
    return response.status === 200 && status === 'ready';
  } catch {
    return false;
  }
}
