import type { Logger } from '../log/logger';
import { sdkSettings, type TelemetrySettings } from '../telemetry-settings';
import type * as OpenTelemetry from './open-telemetry';
import type { Tracer } from './span';

/** Starts tracing if enabled, else returns undefined. Loads OpenTelemetry's SDK only if enabled. */
export function startTracing(
  service: string,
  settings: TelemetrySettings,
  log: Logger,
): Tracer | undefined {
  if (settings.OTEL_TRACES_ENABLED !== 'true') return undefined;
  // The SDK reads the environment, which lacks settings given as files (`NAME_FILE`).
  for (const name of sdkSettings) {
    const value = settings[name];
    if (value !== undefined) process.env[name] = value;
  }
  // An import would load the SDK in every process; bundlers follow `require`.
  // oxlint-disable-next-line typescript/no-require-imports
  const { createOpenTelemetryTracer } = require('./open-telemetry') as typeof OpenTelemetry;
  const protocol = settings.OTEL_EXPORTER_OTLP_PROTOCOL;
  const tracer = createOpenTelemetryTracer({ service, protocol, log });
  log.info({ protocol }, 'Tracing is enabled.');
  return tracer;
}
