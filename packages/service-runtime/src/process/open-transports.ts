import { pingOf, type ServiceName } from '@bomtrail/messages';
import type { BusConnection } from '@bomtrail/messaging';
import { openEventTransport } from '@bomtrail/messaging';
import { openBroadcastTransport } from '@bomtrail/messaging';
import { handles, openRpcTransport } from '@bomtrail/messaging';
import { createSweepMetrics, startSweep } from './sweep';
import type { Composition, Kit } from './service';

/** Opens the transports of a service. The returned function stops new work, then waits for work in progress. */
export async function openTransports(
  service: { name: ServiceName; kit: Kit; bus: BusConnection },
  composition: Composition,
): Promise<() => Promise<void>> {
  const { kit, bus } = service;
  const ping = handles(pingOf(service.name), async () => ({
    body: { ready: true as const, stores: bus.health.isStoring() },
  }));
  const rpcTransports = [ping, ...(composition.rpc ?? [])].map((transport) =>
    openRpcTransport(bus, transport),
  );
  const consumers = (composition.events ?? []).map((transport) =>
    openEventTransport(bus, transport),
  );
  const broadcasts = (composition.broadcasts ?? []).map((transport) =>
    openBroadcastTransport(bus, transport),
  );
  const sweepDeps = { ...kit, metrics: createSweepMetrics(kit.registry) };
  const sweeps = (composition.sweeps ?? []).map((sweep) => startSweep(sweep, sweepDeps));
  const other = await composition.open?.();

  return async () => {
    await other?.close();
    for (const broadcast of broadcasts) broadcast.close();
    // A run may outlast the grace period: it must not keep requests and messages coming until the process ends.
    const swept = Promise.all(sweeps.map((sweep) => sweep.stop()));
    await Promise.all(consumers.map((consumer) => consumer.stop()));
    await Promise.all(rpcTransports.map((transport) => transport.close()));
    await swept;
    await composition.stop?.();
  };
}
