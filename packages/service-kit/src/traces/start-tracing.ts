import type { Logger } from '../log/logger';
import { sdkSettings, type CommonSettings } from '../settings/common-settings';
import type * as OpenTelemetry from './open-telemetry';
import type { Tracer } from './span';

/**
 * Begins to trace where that is switched on. Only then is anything of OpenTelemetry's SDK loaded.
 */
export function startTracing(
  service: string,
  settings: CommonSettings,
  log: Logger,
): Tracer | undefined {
  if (settings.OTEL_TRACES_ENABLED !== 'true') return undefined;
  // The SDK reads the environment; what was given as a file (`NAME_FILE`) does not stand there.
  for (const name of sdkSettings) {
    const value = settings[name];
    if (value !== undefined) process.env[name] = value;
  }
  // A plain import would load it in every process; this one a bundler follows, too.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const { createOpenTelemetryTracer } = require('./open-telemetry') as typeof OpenTelemetry;
  const protocol = settings.OTEL_EXPORTER_OTLP_PROTOCOL;
  const tracer = createOpenTelemetryTracer({ service, protocol, log });
  log.info({ protocol }, 'Traces are on.');
  return tracer;
}
