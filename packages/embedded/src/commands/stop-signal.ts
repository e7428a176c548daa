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
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  });
}
