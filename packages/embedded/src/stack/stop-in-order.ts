import type { Supervised } from './supervise';

/** Who ends after whom: the door first, then the work behind it, then what the work needs. */
function rank(name: string): number {
  if (name === 'mongod') return 4;
  if (name === 'nats-server') return 3;
  if (name === 'gateway') return 1;
  return name === 'proxy' ? 0 : 2;
}

/** Stops the proxy, the gateway, then the other services together, then nats-server, then mongod. */
export async function stopInOrder(processes: readonly Supervised[]): Promise<void> {
  for (const step of [0, 1, 2, 3, 4]) {
    const now = processes.filter((one) => rank(one.name) === step);
    await Promise.all(now.map((one) => one.stop()));
  }
}
