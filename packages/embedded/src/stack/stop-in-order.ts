import type { Supervised } from './supervise';

/**
 * Shutdown order: transports, then services, then servers. Proxy and gateway stop together: the proxy waits for
 * responses that the gateway holds until it is stopped.
 */
function rank(name: string): number {
  if (name === 'mongod') return 3;
  if (name === 'nats-server') return 2;
  return name === 'proxy' || name === 'gateway' ? 0 : 1;
}

/** Stops proxy and gateway together, then the other services, then nats-server, then mongod. */
export async function stopInOrder(processes: readonly Supervised[]): Promise<void> {
  for (const step of [0, 1, 2, 3]) {
    const now = processes.filter((one) => rank(one.name) === step);
    await Promise.all(now.map((one) => one.stop()));
  }
}
