import { setTimeout as sleep } from 'node:timers/promises';

const pollMs = 250;
const answerMs = 5_000;

/** What `GET /readyz` of the product says over time. */
export interface ReadinessWatch {
  /** The first moment from which it did not say `ready`, in milliseconds of the clock; null: it always did. */
  firstNotReady(): number | null;
  /** Waits until it says `ready`; null: it did not in time. Gives how long that took. */
  untilReady(withinMs: number): Promise<number | null>;
  stop(): Promise<void>;
}

export function watchReadiness(baseUrl: string): ReadinessWatch {
  let status = 'unknown';
  let notReady: number | null = null;
  const over = new AbortController();
  const running = (async () => {
    while (!over.signal.aborted) {
      status = await statusOf(baseUrl);
      if (status !== 'ready') notReady ??= Date.now();
      await sleep(pollMs, undefined, { signal: over.signal }).catch(() => undefined);
    }
  })();
  return {
    firstNotReady: () => notReady,
    async untilReady(withinMs) {
      const begun = Date.now();
      for (; Date.now() - begun < withinMs; await sleep(pollMs))
        if ((await statusOf(baseUrl)) === 'ready') return Date.now() - begun;
      return null;
    },
    async stop() {
      over.abort();
      await running;
    },
  };
}

async function statusOf(baseUrl: string): Promise<string> {
  try {
    const signal = AbortSignal.timeout(answerMs);
    const response = await fetch(`${baseUrl}/readyz`, { signal });
    return ((await response.json()) as { status: string }).status;
  } catch {
    return 'no answer';
  }
}
