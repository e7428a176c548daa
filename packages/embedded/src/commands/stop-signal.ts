/**
 * Resolves at the first SIGINT, SIGTERM or SIGHUP. A second one ends this process at once, and with it,
 * through their watchdogs, everything it started.
 */
export function stopSignal(say: (line: string) => void): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let asked = false;
    const onSignal = (signal: NodeJS.Signals): void => {
      if (asked) {
        say('Killed.');
        process.exit(130);
      }
      asked = true;
      resolve(signal);
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  });
}
