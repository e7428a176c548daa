import { busSettings, faultSettings } from '@bomtrail/messaging';
import { databaseSettings } from '@bomtrail/mongo';
import { telemetrySettings } from '@bomtrail/telemetry';
import { z } from 'zod';

const port = z.coerce.number('must be a port number').int().min(0).max(65535);

/** Settings of every service; the schema of a service extends this one. */
export const commonSettings = z.object({
  ...databaseSettings.shape,
  ...busSettings.shape,
  INTERNAL_HTTP_PORT: port
    .default(9090)
    .describe('Port of health and metrics of this process; not exposed by the proxy'),
  INTERNAL_HTTP_HOST: z.string().default('0.0.0.0').describe('Address of the internal port'),
  ...telemetrySettings.shape,
  SHUTDOWN_GRACE_SECONDS: z.coerce
    .number('must be a number of seconds')
    .int()
    .min(1)
    .max(600)
    .default(20)
    .describe('Time to finish work in progress after SIGTERM'),
  SHUTDOWN_DRAIN_SECONDS: z.coerce
    .number('must be a number of seconds')
    .int('must be a number of seconds')
    .min(0, 'must be 0 (none) or more')
    .max(300, 'must be 300 or less')
    .default(0)
    .describe(
      'Time after SIGTERM in which the process reports not ready but accepts work, before SHUTDOWN_GRACE_SECONDS',
    ),
  ...faultSettings.shape,
  BOMTRAIL_TEST_SWEEP_RATE: z.coerce
    .number('must be a number')
    .min(1, 'must be 1 or more')
    .max(100, 'must be 100 or less')
    .default(1)
    .describe('For tests: sweeps run this many times as often'),
});

export type CommonSettings = z.infer<typeof commonSettings>;
