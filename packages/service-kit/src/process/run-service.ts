import { collectDefaultMetrics, Registry } from 'prom-client';
import type { ZodObject, z } from 'zod';
import { connectBus } from '../bus/connect';
import { createAnnounce, createPublish } from '../bus/publish';
import { createRequest } from '../bus/request';
import { connectDatabase } from '../database/connect';
import { ensureIndexes } from '../database/indexes';
import { createLogger, type Logger } from '../log/logger';
import { commonSettings } from '../settings/common-settings';
import { readSettings, SettingsError } from '../settings/read-settings';
import { createLeases } from '../work/lease';
import { openInternalServer } from './internal-server';
import { openDoors } from './open-doors';
import type { Kit, ServiceDefinition } from './service';

/** sysexits.h EX_CONFIG: a supervisor need not try again. */
const wrongSettingsExitCode = 78;

/** Runs one service until SIGTERM or SIGINT. The only caller is a service's `main.ts`. */
export function runService<Schema extends ZodObject>(definition: ServiceDefinition<Schema>): void {
  let settings: z.infer<Schema>;
  try {
    settings = readSettings(definition.settings, process.env);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    for (const line of error.lines) process.stderr.write(`${definition.name}: ${line}\n`);
    process.exit(wrongSettingsExitCode);
  }
  const { LOG_LEVEL, LOG_FORMAT } = commonSettings.parse(settings);
  const log = createLogger({ service: definition.name, level: LOG_LEVEL, format: LOG_FORMAT });
  serve(definition, settings, log).catch((error: unknown) => {
    log.fatal({ err: error }, 'The service could not start.');
    process.exit(1);
  });
}

async function serve<Schema extends ZodObject>(
  definition: ServiceDefinition<Schema>,
  settings: z.infer<Schema>,
  log: Logger,
): Promise<void> {
  const common = commonSettings.parse(settings);
  const registry = new Registry();
  registry.setDefaultLabels({ service: definition.name });
  collectDefaultMetrics({ register: registry });

  let taking = false;
  let checks: Kit['checks'] = async () => ({ mongodb: 'down', nats: 'down' });
  const internal = await openInternalServer({
    host: common.INTERNAL_HTTP_HOST,
    port: common.INTERNAL_HTTP_PORT,
    registry,
    checks: async () => ({ ...(await checks()), doors: taking ? 'up' : 'down' }),
  });

  const [database, bus] = await Promise.all([
    connectDatabase({
      uri: common.MONGODB_URI,
      name: `${common.MONGODB_DATABASE_PREFIX}${definition.name}`,
      log,
    }),
    connectBus({ url: common.NATS_URL, name: definition.name, log }),
  ]);
  checks = async () => ({
    mongodb: (await database.isUp()) ? 'up' : 'down',
    nats: bus.isUp() ? 'up' : 'down',
  });

  const publish = createPublish(bus);
  const kit: Kit = {
    log,
    database,
    leases: createLeases(database.db),
    registry,
    request: createRequest(bus),
    publish,
    announce: createAnnounce(bus, publish),
    checks,
  };
  const composition = await definition.compose(kit, settings);
  if (composition.indexes) await ensureIndexes(database.db, composition.indexes, kit.leases);
  await composition.start?.();
  const closeDoors = await openDoors({ name: definition.name, kit, bus }, composition);
  taking = true;
  log.info({ internal_port: internal.port }, 'Ready.');

  onShutdown(log, common.SHUTDOWN_GRACE_SECONDS, async () => {
    taking = false;
    await closeDoors();
    if (!bus.nats.isClosed()) await bus.nats.drain();
    await database.client.close();
    await internal.close();
  });
}

/** Stops in order on the first signal; ends the process when that takes longer than the grace period. */
function onShutdown(log: Logger, graceSeconds: number, shutdown: () => Promise<void>): void {
  let stopping = false;
  const stop = (signal: string): void => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'Stopping: finishing what was begun.');
    setTimeout(() => {
      log.error(
        'The grace period is over; ending with work in hand. It is taken up again after the start.',
      );
      process.exit(1);
    }, graceSeconds * 1000).unref();
    shutdown().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'The shutdown failed.');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
}
