import { pingOf, type ServiceName } from '@bomtrail/messages';
import type { BusConnection } from '../bus/connect';
import { openEventDoor } from '../bus/consume';
import { openNoticeDoor } from '../bus/notice';
import { answers, openRpcDoor } from '../bus/serve';
import { createSweepMetrics, startSweep } from '../work/sweep';
import type { Composition, Kit } from './service';

/** Opens a service's doors and gives what closes them: first no new work, then the work in hand. */
export async function openDoors(
  service: { name: ServiceName; kit: Kit; bus: BusConnection },
  composition: Composition,
): Promise<() => Promise<void>> {
  const { kit, bus } = service;
  const ping = answers(pingOf(service.name), async () => ({
    body: { ready: true as const, stores: bus.health.isStoring() },
  }));
  const rpcDoors = [ping, ...(composition.rpc ?? [])].map((door) => openRpcDoor(bus, door));
  const consumers = (composition.events ?? []).map((door) => openEventDoor(bus, door));
  const notices = (composition.notices ?? []).map((door) => openNoticeDoor(bus, door));
  const sweepDeps = { ...kit, metrics: createSweepMetrics(kit.registry) };
  const sweeps = (composition.sweeps ?? []).map((sweep) => startSweep(sweep, sweepDeps));
  const other = await composition.open?.();

  return async () => {
    await other?.close();
    for (const notice of notices) notice.close();
    await Promise.all(sweeps.map((sweep) => sweep.stop()));
    await Promise.all(consumers.map((consumer) => consumer.stop()));
    await Promise.all(rpcDoors.map((door) => door.close()));
    await composition.stop?.();
  };
}
