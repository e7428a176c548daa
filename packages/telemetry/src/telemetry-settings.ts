import { z } from 'zod';

/** Standard sampler names of OpenTelemetry. */
const samplers = [
  ...(['always_on', 'always_off', 'traceidratio'] as const),
  ...(['parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'] as const),
] as const;

/** Settings of logs and traces. */
export const telemetrySettings = z.object({
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
});

export type TelemetrySettings = z.infer<typeof telemetrySettings>;

/** Settings that the OpenTelemetry SDK reads from the environment itself. */
export const sdkSettings = [
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_TRACES_SAMPLER',
  'OTEL_TRACES_SAMPLER_ARG',
  'OTEL_RESOURCE_ATTRIBUTES',
] as const satisfies readonly (keyof TelemetrySettings)[];
