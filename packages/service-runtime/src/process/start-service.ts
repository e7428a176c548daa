import { setTimeout } from 'node:timers/promises';
import type { ZodObject, z } from 'zod';
import { connectBus } from '@bomtrail/messaging';
import { createPublish, createPublishResult, createPublishOrThrow } from '@bomtrail/messaging';
import { createBroadcast } from '@bomtrail/messaging';
import { createDeadLetters, createQueued } from '@bomtrail/messaging';
import { createRequest } from '@bomtrail/messaging';
import { connectDatabase } from '@bomtrail/mongo';
import { armFaultPoints } from '@bomtrail/messaging';
import { ensureIndexes } from '@bomtrail/mongo';
import { untilRestored } from '@bomtrail/mongo';
import { createLogger } from '@bomtrail/telemetry';
import { commonSettings } from '../settings/common-settings';
import { createRegistry, registerServiceMetrics } from '../metrics/service-metrics';
import { startTracing } from '@bomtrail/telemetry';
import { createLeases } from '@bomtrail/mongo';
import { openInternalServer } from './internal-server';
import { listeningOn } from './listening-on';
import { openTransports } from './open-transports';
import { watchClock } from './watch-clock';
import type { Kit, ServiceDefinition } from './service';

/** A running service. */
export interface RunningService {
  /** Port of health and metrics. */
  readonly internalPort: number;
  /** Stops new work, waits for work in progress, closes all connections. */
  stop(): Promise<void>;
}

/**
 * Starts a service in this process and resolves when its transports are open. Unlike `runService` it sets no signal
 * handlers and never exits; tests use it.
 */
export async function startService<Schema extends ZodObject>(
  definition: ServiceDefinition<Schema>,
  settings: z.infer<Schema>,
): Promise<RunningService> {
  const common = commonSettings.parse(settings);
  const log = createLogger({
    service: definition.name,
    level: common.LOG_LEVEL,
    format: common.LOG_FORMAT,
  });
  const tracer = startTracing(definition.name, common, log);
  const registry = createRegistry(definition.name);

  let isReady = false;
  let checks: Kit['checks'] = async () => ({ mongodb: 'down', nats: 'down' });
  const internal = await listeningOn(
    'INTERNAL_HTTP_HOST',
    openInternalServer({
      host: common.INTERNAL_HTTP_HOST,
      port: common.INTERNAL_HTTP_PORT,
      registry,
      checks: async () => ({ ...(await checks()), transports: isReady ? 'up' : 'down' }),
    }),
  );

  const [database, bus] = await Promise.all([
    connectDatabase({
      settings: common,
      name: `${common.MONGODB_DATABASE_PREFIX}${definition.name}`,
      log,
      traced: tracer !== undefined,
    }),
    connectBus({
      settings: common,
      service: definition.name,
      log,
      registry,
      tracer,
      faultPoint: armFaultPoints({
        crashAt: common.BOMTRAIL_TEST_CRASH_AT,
        holdAt: common.BOMTRAIL_TEST_HOLD_AT,
      }),
    }),
  ]);
  checks = async () => ({
    mongodb: (await database.isUp()) ? 'up' : 'down',
    nats: bus.isUp() ? 'up' : 'down',
    jetstream: bus.health.isStoring() ? 'up' : 'down',
  });

  await untilRestored(database.db, log);
  const publishOrThrow = createPublishOrThrow(bus);
  const kit: Kit = {
    log,
    database,
    leases: createLeases(database.db),
    registry,
    tracer,
    request: createRequest(bus),
    publishOrThrow,
    publish: createPublish(bus, publishOrThrow),
    publishResult: createPublishResult(bus, publishOrThrow),
    broadcast: createBroadcast(bus),
    queued: createQueued(bus),
    deadLetters: createDeadLetters(bus),
    checks,
  };
  const composition = await definition.compose(kit, settings);
  if (composition.indexes) await ensureIndexes(database.db, composition.indexes, kit);
  await composition.start?.();
  const consumers = (composition.events ?? []).map(({ consumer }) => consumer);
  const unwatchClock = watchClock({ db: database.db, registry, log });
  registerServiceMetrics(registry, { bus, consumers, checks });
  const { BOMTRAIL_TEST_SWEEP_RATE: rate } = common;
  const sweeps = composition.sweeps?.map(({ everySeconds, ...sweep }) => ({
    ...sweep,
    everySeconds: everySeconds / rate,
  }));
  const closeTransports = await openTransports(
    { name: definition.name, kit, bus },
    { ...composition, ...(sweeps && { sweeps }) },
  );
  isReady = true;
  log.info({ internal_port: internal.port }, 'Ready.');

  return {
    internalPort: internal.port,
    async stop() {
      isReady = false;
      unwatchClock();
      // Accept work until all load balancers have seen that this process is not ready.
      await setTimeout(common.SHUTDOWN_DRAIN_SECONDS * 1000);
      await closeTransports();
      bus.health.stop();
      if (!bus.nats.isClosed()) await bus.nats.drain();
      await database.client.close();
      await internal.close();
      await tracer?.stop();
    },
  };
}
