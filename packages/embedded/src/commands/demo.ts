import { setTimeout as delay } from 'node:timers/promises';
import { join } from 'node:path';
import { OperatorError } from '@bomtrail/terminal';
import { apiClient } from '../demo/api-client';
import { demoClock, type DemoClock } from '../demo/demo-clock';
import { exampleRounds, type ExampleSbom } from '../demo/example-sboms';
import { DemoFailure, runDemo } from '../demo/run-demo';
import { simulatedDays, simulateYear } from '../demo/simulate-year';
import { dataDirOf, repositoryRoot } from '../repository';
import type { Stack, StackOptions } from '../stack/start-stack';
import { withTemporaryFolder } from '../temporary-folder';
import { DEFAULT_GRPC_PORT, DEFAULT_HTTP_PORT, portSetting, preferredOrFree } from './ports';
import { serveUntilStopped, startUnlessStopped } from './run-stack';
import { welcome } from './start';

const dayMs = 86_400_000;
const readyWithinMs = 60_000;

interface DemoOptions {
  env: NodeJS.ProcessEnv;
  exitAfter: boolean;
  say: (line: string) => void;
}

/**
 * `demo [--exit]`: simulates a year of releases and runs the example SBOMs on its own, emptied data folder, then
 * serves it until Ctrl-C, or exits with `--exit`. Always uses its own servers, so that it never writes to a real
 * installation.
 */
export async function demo(options: DemoOptions): Promise<void> {
  const examples = join(repositoryRoot(), 'examples', 'sboms');
  const rounds = await exampleRounds(examples);
  await withTemporaryFolder('demo', (folder) =>
    runOn({ ...options, examples, rounds, clock: demoClock(folder, simulatedDays * dayMs) }),
  );
}

async function runOn(
  options: DemoOptions & { examples: string; rounds: ExampleSbom[][]; clock: DemoClock },
): Promise<void> {
  const { say, clock, examples, rounds } = options;
  const { stack, stopRequested } = await startUnlessStopped(await stackOptions(options));
  let stopping = false;
  void stopRequested.then(() => {
    stopping = true;
  });
  const show = async () => {
    const { baseUrl, apiKey } = stack;
    await simulateYear({ target: { baseUrl, apiKey }, clock, examples, say });
    await loadAdvisoriesOfToday(stack);
    await runDemo({ client: apiClient(baseUrl, apiKey), rounds, say });
  };
  try {
    const ended = await Promise.race([show(), stopRequested, stack.failed]);
    if (ended instanceof Error) throw ended;
  } catch (error) {
    await stack.stop();
    if (error instanceof DemoFailure) throw new OperatorError(`The demo failed: ${error.message}.`);
    throw error;
  }
  if (options.exitAfter && !stopping) {
    await stack.stop();
    return;
  }
  if (!stopping) for (const line of ['', ...welcome(stack), ...pageLines(stack)]) say(line);
  await serveUntilStopped({ stack, stopRequested, say });
}

/** The scanner polls its sources when it starts: those of a year ago would count as old. */
async function loadAdvisoriesOfToday(stack: Stack): Promise<void> {
  stack.kill('scanner', 'SIGTERM');
  const deadline = Date.now() + readyWithinMs;
  do {
    await delay(500);
    const response = await fetch(`${stack.baseUrl}/readyz`).catch(() => null);
    const { status } = ((await response?.json()) ?? {}) as { status?: string };
    if (status === 'ready') return;
  } while (Date.now() < deadline);
  throw new DemoFailure('the scanner did not start again: see the logs');
}

function pageLines({ baseUrl, apiKey }: Stack): string[] {
  return ['', `Open ${baseUrl} in a browser and sign in with ${apiKey}`];
}

async function stackOptions({
  env,
  clock,
  say,
}: DemoOptions & { clock: DemoClock }): Promise<StackOptions> {
  const http = portSetting('HTTP_PORT', env['HTTP_PORT']);
  const grpc = portSetting('GRPC_PORT', env['GRPC_PORT']);
  return {
    dataDir: join(dataDirOf(env), 'demo'),
    wipe: true,
    httpPort: http ?? (await preferredOrFree(DEFAULT_HTTP_PORT)),
    grpcPort: grpc ?? (await preferredOrFree(DEFAULT_GRPC_PORT)),
    env: { MONGODB_URI: '', NATS_URL: '', ...clock.env },
    proxied: true,
    say,
  };
}
