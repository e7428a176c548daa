import type { Supervised } from './supervise';

/**
 * Who ends after whom: the doors first, then the work behind them, then what the work needs. The proxy and
 * the gateway are told together: the one waits for answers that the other holds back until it is told.
 */
function rank(name: string): number {
  if (name === 'mongod') return 3;
  if (name === 'nats-server') return 2;
  return name === 'proxy' || name === 'gateway' ? 0 : 1;
}

/** Stops the proxy and the gateway together, then the other services, then nats-server, then mongod. */
export async function stopInOrder(processes: readonly Supervised[]): Promise<void> {
  for (const step of [0, 1, 2, 3]) {
    const now = processes.filter((one) => rank(one.name) === step);
    await Promise.all(now.map((one) => one.stop()));
  }
}
