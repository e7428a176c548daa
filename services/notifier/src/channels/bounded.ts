/** Cause of an early end. */
export type EndedBy = 'time' | 'caller';

/**
 * Runs a task with a signal that aborts after `ms` or with the caller's signal.
 *
 * @param task gets the signal and a function that returns the cause of an early end, if any
 */
export async function bounded<Result>(
  bound: { ms: number; signal: AbortSignal },
  task: (signal: AbortSignal, endedBy: () => EndedBy | undefined) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  let by: EndedBy | undefined;
  const end = (cause: EndedBy) => {
    by ??= cause;
    controller.abort();
  };
  const onCaller = () => end('caller');
  if (bound.signal.aborted) onCaller();
  bound.signal.addEventListener('abort', onCaller);
  const timer = setTimeout(() => end('time'), bound.ms);
  try {
    return await task(controller.signal, () => by);
  } finally {
    clearTimeout(timer);
    bound.signal.removeEventListener('abort', onCaller);
  }
}
