import { OperatorError } from './operator-error';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** A Ctrl-C reaches us from the terminal and again from the npm that runs us: both are one. */
const SAME_WITHIN_MS = 500;

/**
 * Resolves at the first SIGINT, SIGTERM or SIGHUP. A second one ends this process at once, and with it,
 * through their watchdogs, everything it started.
 */
export function stopSignal(say: (line: string) => void): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let askedAt: number | undefined;
    const onSignal = (signal: NodeJS.Signals): void => {
      if (askedAt !== undefined) {
        if (Date.now() - askedAt < SAME_WITHIN_MS) return;
        say('Killed.');
        process.exit(130);
      }
      askedAt = Date.now();
      resolve(signal);
    };
    for (const signal of SIGNALS) process.on(signal, onSignal);
  });
}

/**
 * A signal that is given at the first SIGINT, SIGTERM or SIGHUP, for a command that cleans up behind itself.
 * A second one ends this process at once. `end`: it is over, and signals end the process again.
 */
export function untilStopped(): { signal: AbortSignal; end: () => void } {
  const stop = new AbortController();
  let askedAt: number | undefined;
  const onSignal = (): void => {
    if (askedAt !== undefined && Date.now() - askedAt >= SAME_WITHIN_MS) process.exit(130);
    askedAt ??= Date.now();
    stop.abort(new OperatorError('Stopped before it was done.'));
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  const end = (): void => {
    for (const name of SIGNALS) process.off(name, onSignal);
  };
  return { signal: stop.signal, end };
}
