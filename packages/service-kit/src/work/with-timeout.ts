/** What was waited for took too long. */
export class TimeoutError extends Error {
  constructor(ms: number) {
    super(`No answer within ${ms} ms.`);
    this.name = 'TimeoutError';
  }
}

/**
 * Waits no longer than so many milliseconds. What is waited for goes on unheard: a write may still be
 * done.
 *
 * @throws TimeoutError; what the work throws
 */
export async function withTimeout<Value>(work: Promise<Value>, ms: number): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      // An answer that came while this process was busy with something else is heard first.
      setImmediate(() => reject(new TimeoutError(ms)));
    }, ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
