/** A wait exceeded its timeout. */
export class TimeoutError extends Error {
  constructor(ms: number) {
    super(`Timed out after ${ms} ms.`);
    this.name = 'TimeoutError';
  }
}

/**
 * Waits for work, at most `ms` milliseconds. The work is not cancelled: a write may still complete.
 *
 * @throws TimeoutError; what the work throws
 */
export async function withTimeout<Value>(work: Promise<Value>, ms: number): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      // If the process was busy, a result that has arrived meanwhile wins.
      setImmediate(() => reject(new TimeoutError(ms)));
    }, ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
