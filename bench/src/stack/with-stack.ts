import { createApi, type Api } from '../load/api';
import { pollUntil } from '../load/poll';
import { startBenchStack, type BenchStack, type BenchStackOptions } from './bench-stack';

const readyTimeoutMs = 180_000;

/** Starts a stack, waits until it is ready, does the work, and stops the stack, whatever happens. */
export async function withStack<Result>(
  options: BenchStackOptions & { signal: AbortSignal },
  work: (stack: BenchStack, api: Api) => Promise<Result>,
): Promise<Result> {
  const { say, signal } = options;
  const stack = await startBenchStack(options);
  try {
    signal.throwIfAborted();
    const api = createApi({ ...stack, signal });
    try {
      await untilReady(api, signal);
      return await work(stack, api);
    } finally {
      api.close();
    }
  } finally {
    say('stopping');
    await stack.stop();
  }
}

/** Waits until /readyz says `ready`. */
async function untilReady(api: Api, signal: AbortSignal): Promise<void> {
  let status: string | undefined;
  await pollUntil(
    async () => {
      status = await api.readiness();
      return status === 'ready' ? status : undefined;
    },
    {
      pauseMs: 100,
      timeoutMs: readyTimeoutMs,
      signal,
      waitingFor: () => `/readyz says ${status ?? 'nothing'}`,
    },
  );
}
