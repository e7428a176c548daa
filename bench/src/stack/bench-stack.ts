import { startStack } from '@bomtrail/embedded';
import type { ProcessRef } from '../measure/process-usage';

/** The stack under test, on ports and in a folder of its own. */
export interface BenchStack {
  baseUrl: string;
  apiKey: string;
  processes(): ProcessRef[];
  stop(): Promise<void>;
}

/** Starts all processes. `advisorySource`: a folder in OSV's bulk layout. */
export async function startBenchStack(options: {
  dataDir: string;
  advisorySource: string;
  say: (line: string) => void;
}): Promise<BenchStack> {
  const stack = await startStack({
    dataDir: options.dataDir,
    httpPort: 0,
    env: { BOMTRAIL_ADVISORY_SOURCE: options.advisorySource, LOG_LEVEL: 'warn' },
    say: options.say,
  });
  return {
    baseUrl: stack.baseUrl,
    apiKey: stack.apiKey,
    processes: () => stack.processes().map(({ name, pid }) => ({ name, pid })),
    stop: () => stack.stop(),
  };
}
