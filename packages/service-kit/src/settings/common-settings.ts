import { z } from 'zod';
import { areFaultPoints, isFaultSetting } from '../faults/arm-fault-point';

const port = z.coerce.number('must be a port number').int().min(0).max(65535);

/** Standard sampler names of OpenTelemetry. */
const samplers = [
  ...(['always_on', 'always_off', 'traceidratio'] as const),
  ...(['parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'] as const),
] as const;

/** Settings of every service; the schema of a service extends this one. */
export const commonSettings = z.object({
  MONGODB_URI: z
    .string()
    .regex(/^mongodb(\+srv)?:\/\//, 'must begin with mongodb:// or mongodb+srv://')
    .describe('MongoDB 6.0 or later, a replica set; TLS is set in it (`tls=true&tlsCAFile=…`)'),
  MONGODB_DATABASE_PREFIX: z
    .string()
    .regex(/^[A-Za-z0-9_-]{0,40}$/, 'may hold letters, digits, _ and -')
    .default('bomtrail_')
    .describe('Before the name of each database: <prefix><service>'),
  MONGODB_USERNAME: z.string().optional().describe('User of MongoDB, if not given in MONGODB_URI'),
  MONGODB_PASSWORD: z.string().optional().describe('Its password'),
  NATS_URL: z
    .string()
    .refine(
      (urls) => urls.split(',').every((url) => /^\s*(nats|tls|ws|wss):\/\/\S+\s*$/.test(url)),
      'must be comma-separated URLs that begin with nats:// or tls://',
    )
    .describe('NATS servers, comma-separated; tls:// requires TLS'),
  NATS_REPLICAS: z.coerce
    .number('must be 1, 3 or 5')
    .refine((count) => [1, 3, 5].includes(count), 'must be 1, 3 or 5')
    .optional()
    .describe(
      'Replicas of each stream in a NATS cluster, the same in all services; if omitted, existing streams stay unchanged and new ones have 1',
    ),
  NATS_STORAGE_BYTES: z.coerce
    .number('must be a number of bytes')
    .int('must be a number of bytes')
    .min(1024 ** 2, 'must be 1048576 (1 MiB) or more')
    .optional()
    .describe(
      'Maximum size of all streams together in bytes, the same in all services; if omitted, existing limits stay and the other streams share 1 GiB',
    ),
  NATS_USER: z.string().optional().describe('User of NATS'),
  NATS_PASSWORD: z.string().optional().describe('Its password'),
  NATS_NKEY: z.string().optional().describe('Seed of an NKey, instead of user and password'),
  NATS_CREDS: z
    .string()
    .optional()
    .describe('Text of a .creds file (JWT and seed), instead of user and password'),
  NATS_TLS_CA: z
    .string()
    .optional()
    .describe('CA of the certificate of NATS, in PEM; requires TLS. Default: the well-known CAs'),
  NATS_TLS_CERT: z.string().optional().describe('Client certificate for NATS, in PEM'),
  NATS_TLS_KEY: z.string().optional().describe('Its key, in PEM, not encrypted'),
  NATS_TLS_SERVERNAME: z
    .string()
    .optional()
    .describe('Host name in the certificate of NATS, if not that of NATS_URL'),
  INTERNAL_HTTP_PORT: port
    .default(9090)
    .describe('Port of health and metrics of this process; not exposed by the proxy'),
  INTERNAL_HTTP_HOST: z.string().default('0.0.0.0').describe('Address of the internal port'),
  LOG_LEVEL: z
    .enum(
      ['trace', 'debug', 'info', 'warn', 'error', 'fatal'],
      'must be trace, debug, info, warn, error or fatal',
    )
    .default('info')
    .describe('Minimum level of log lines'),
  LOG_FORMAT: z
    .enum(['json', 'text'], 'must be json or text')
    .default('json')
    .describe('One JSON object per line, or text for people'),
  OTEL_TRACES_ENABLED: z
    .enum(['true', 'false'], 'must be true or false')
    .default('false')
    .describe('Sends traces to an OTLP receiver'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'must be a URL with https:// or http://' })
    .optional()
    .describe('Receiver of traces; http://localhost:4318 by default'),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .optional()
    .describe('Headers for the receiver of traces, key=value, comma-separated'),
  OTEL_EXPORTER_OTLP_PROTOCOL: z
    .enum(['http/protobuf', 'http/json'], 'must be http/protobuf or http/json')
    .default('http/protobuf')
    .describe('Protocol of the receiver of traces'),
  OTEL_TRACES_SAMPLER: z
    .enum(samplers, `must be one of ${samplers.join(', ')}`)
    .optional()
    .describe('Sampler of traces; parentbased_always_on by default'),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0(\.\d+)?|1(\.0+)?)$/, 'must be a number from 0 to 1')
    .optional()
    .describe('Share sampled by the traceidratio samplers'),
  OTEL_RESOURCE_ATTRIBUTES: z
    .string()
    .optional()
    .describe('Attributes of every trace: key=value, comma-separated'),
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
      'After SIGTERM the process reports not ready but still accepts work for so long; then SHUTDOWN_GRACE_SECONDS begins',
    ),
  BOMTRAIL_TEST_CRASH_AT: z
    .string()
    .refine(isFaultSetting, 'must be a fault point, or <fault point>@<n>')
    .optional()
    .describe('For tests: the process crashes when it reaches this fault point for the n-th time'),
  BOMTRAIL_TEST_HOLD_AT: z
    .string()
    .refine(areFaultPoints, 'must be comma-separated fault points')
    .optional()
    .describe('For tests: work that reaches one of these fault points pauses until a SIGCONT'),
});

export type CommonSettings = z.infer<typeof commonSettings>;

/** Settings that the OpenTelemetry SDK reads from the environment itself. */
export const sdkSettings = [
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_TRACES_SAMPLER',
  'OTEL_TRACES_SAMPLER_ARG',
  'OTEL_RESOURCE_ATTRIBUTES',
] as const satisfies readonly (keyof CommonSettings)[];
