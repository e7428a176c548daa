import type { ZodObject, z } from 'zod';
import { refusedUser } from '@bomtrail/mongo';
import { createLogger, type Logger } from '@bomtrail/telemetry';
import { commonSettings } from '../settings/common-settings';
import { checkConnections } from '../settings/connection-errors';
import { misspeltSettings, readSettings, SettingsError } from '@bomtrail/settings';
import { collectLessOften } from './collect-less-often';
import type { ServiceDefinition } from './service';
import { startService, type RunningService } from './start-service';

/** EX_CONFIG of sysexits.h: a restart does not help. */
const wrongSettingsExitCode = 78;

/** Runs one service until SIGTERM or SIGINT. The only caller is a service's `main.ts`. */
export function runService<Schema extends ZodObject>(definition: ServiceDefinition<Schema>): void {
  collectLessOften();
  let settings: z.infer<Schema>;
  try {
    settings = readSettings(definition.settings, process.env);
    checkConnections(commonSettings.parse(settings));
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    exitWithSettingsError(definition.name, error);
  }
  const common = commonSettings.parse(settings);
  const { LOG_LEVEL, LOG_FORMAT } = common;
  const shutdownSeconds = common.SHUTDOWN_DRAIN_SECONDS + common.SHUTDOWN_GRACE_SECONDS;
  const log = createLogger({ service: definition.name, level: LOG_LEVEL, format: LOG_FORMAT });
  for (const misspelt of misspeltSettings(definition.settings, process.env))
    log.warn(misspelt, 'A variable is ignored that nearly names a setting.');
  let running: RunningService | undefined;
  // Before the start, which may wait: as process 1 of a container, Node would ignore signals without a handler.
  onShutdown(log, shutdownSeconds, async () => running?.stop());
  startService(definition, settings).then(
    (service) => {
      running = service;
    },
    (error: unknown) => {
      if (error instanceof SettingsError) exitWithSettingsError(definition.name, error);
      const reason = refusedUser(error);
      log.fatal(reason ? { reason } : { err: error }, 'The service could not start.');
      process.exit(1);
    },
  );
}

/** Prints the errors of the settings and exits. */
function exitWithSettingsError(service: string, { lines }: SettingsError): never {
  for (const line of lines) process.stderr.write(`${service}: ${line}\n`);
  process.exit(wrongSettingsExitCode);
}

/** Shuts down on the first signal, at once while it still starts; exits if that takes longer than the grace period. */
function onShutdown(log: Logger, graceSeconds: number, shutdown: () => Promise<void>): void {
  let stopping = false;
  const stop = (signal: string): void => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'Shutting down.');
    setTimeout(() => {
      log.error(
        'The grace period is over; exiting with work in progress, which is repeated after the next start.',
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
