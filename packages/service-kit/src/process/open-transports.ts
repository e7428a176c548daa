import { pingOf, type ServiceName } from '@bomtrail/messages';
import type { BusConnection } from '../bus/connect';
import { openEventTransport } from '../bus/consume';
import { openBroadcastTransport } from '../bus/notice';
import { handles, openRpcTransport } from '../bus/serve';
import { createSweepMetrics, startSweep } from '../work/sweep';
import type { Composition, Kit } from './service';

/** Opens a service's doors and gives what closes them: first no new work, then the work in hand. */
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
  const notices = (composition.notices ?? []).map((transport) =>
    openBroadcastTransport(bus, transport),
  );
  const sweepDeps = { ...kit, metrics: createSweepMetrics(kit.registry) };
  const sweeps = (composition.sweeps ?? []).map((sweep) => startSweep(sweep, sweepDeps));
  const other = await composition.open?.();

  return async () => {
    await other?.close();
    for (const notice of notices) notice.close();
    await Promise.all(sweeps.map((sweep) => sweep.stop()));
    await Promise.all(consumers.map((consumer) => consumer.stop()));
    await Promise.all(rpcTransports.map((transport) => transport.close()));
    await composition.stop?.();
  };
}
