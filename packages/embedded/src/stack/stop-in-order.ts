import type { Supervised } from './supervise';

/** Who ends after whom: the door first, then the work behind it, then what the work needs. */
function rank(name: string): number {
  if (name === 'mongod') return 3;
  if (name === 'nats-server') return 2;
  return name === 'gateway' ? 0 : 1;
}

/** Stops the gateway, then the other services together, then nats-server, then mongod. */
export async function stopInOrder(processes: readonly Supervised[]): Promise<void> {
  for (const step of [0, 1, 2, 3]) {
    const now = processes.filter((one) => rank(one.name) === step);
    await Promise.all(now.map((one) => one.stop()));
  }
}
