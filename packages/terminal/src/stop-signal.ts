import { OperatorError } from './operator-error';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** A Ctrl-C arrives twice, from the terminal and from npm; both count as one. */
const SAME_WITHIN_MS = 500;

/**
 * Resolves at the first SIGINT, SIGTERM or SIGHUP. A second one exits immediately; watchdogs then end all child
 * processes.
 */
export function stopSignal(say: (line: string) => void): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let firstAt: number | undefined;
    const onSignal = (signal: NodeJS.Signals): void => {
      if (firstAt !== undefined) {
        if (Date.now() - firstAt < SAME_WITHIN_MS) return;
        say('Killed.');
        process.exit(130);
      }
      firstAt = Date.now();
      resolve(signal);
    };
    for (const signal of SIGNALS) process.on(signal, onSignal);
  });
}

/**
 * Returns an abort signal that fires at the first SIGINT, SIGTERM or SIGHUP, for commands that clean up. A second one
 * exits immediately. `end` restores the default handling of signals.
 */
export function untilStopped(): { signal: AbortSignal; end: () => void } {
  const stop = new AbortController();
  let firstAt: number | undefined;
  const onSignal = (): void => {
    if (firstAt !== undefined && Date.now() - firstAt >= SAME_WITHIN_MS) process.exit(130);
    firstAt ??= Date.now();
    stop.abort(new OperatorError('Stopped before it was finished.'));
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  const end = (): void => {
    for (const name of SIGNALS) process.off(name, onSignal);
  };
  return { signal: stop.signal, end };
}
