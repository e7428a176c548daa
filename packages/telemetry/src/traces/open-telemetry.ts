import {
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span as OpenSpan,
  type SpanContext,
  type Tracer as OpenTracer,
} from '@opentelemetry/api';
import {
  detectResources,
  envDetector,
  resourceFromAttributes,
  type Resource,
} from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { usableTraceparent } from '../log/context';
import type { Logger } from '../log/logger';
import type { Span, SpanStart, Tracer } from './span';

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;

/** Maximum wait for the export of the last spans on shutdown. */
const lastExportMs = 2_000;

/**
 * Creates a tracer with OpenTelemetry's SDK, which only this module imports. The SDK reads the standard variables (`OTEL_EXPORTER_OTLP_…`,
 * `OTEL_TRACES_SAMPLER…`, `OTEL_BSP_…`, `OTEL_SPAN_…_LIMIT`, `OTEL_RESOURCE_ATTRIBUTES`,
 * `OTEL_SERVICE_NAME`) from the environment itself.
 *
 * @param options.service name of the service; `OTEL_SERVICE_NAME` overrides it
 */
export function createOpenTelemetryTracer(options: {
  service: string;
  protocol: 'http/protobuf' | 'http/json';
  log: Logger;
}): Tracer {
  diag.setLogger(ofLibrary(options.log), { logLevel: DiagLogLevel.ERROR });
  const provider = new BasicTracerProvider({
    resource: resourceOf(options.service),
    spanProcessors: [new BatchSpanProcessor(exporterOf(options.protocol))],
  });
  const tracer = provider.getTracer('bomtrail');
  return {
    begin(start, parent) {
      const from = usableTraceparent(parent);
      return begin(tracer, start, from ? remote(from) : ROOT_CONTEXT);
    },
    async stop() {
      const late = new Promise<void>((resolve) => setTimeout(resolve, lastExportMs).unref());
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
    },
  };
}

function resourceOf(service: string): Resource {
  const own = resourceFromAttributes({
    'service.name': `bomtrail-${service}`,
    'service.namespace': 'bomtrail',
    'process.pid': process.pid,
  });
  return own.merge(detectResources({ detectors: [envDetector] }));
}

function exporterOf(protocol: 'http/protobuf' | 'http/json'): SpanExporter {
  return protocol === 'http/json' ? new JsonExporter() : new ProtobufExporter();
}

function begin(tracer: OpenTracer, start: SpanStart, parent: Context): Span {
  const { name, kind = 'internal', attributes = {} } = start;
  return wrap(tracer, tracer.startSpan(name, { kind: kinds[kind], attributes }, parent));
}

function wrap(tracer: OpenTracer, span: OpenSpan): Span {
  return {
    traceparent: written(span.spanContext()),
    begin: (start) => begin(tracer, start, trace.setSpan(ROOT_CONTEXT, span)),
    link(traceparent) {
      span.addLink({ context: read(traceparent) });
    },
    rename(name) {
      span.updateName(name);
    },
    note(attributes) {
      span.setAttributes(attributes);
    },
    fail(type) {
      span.setAttribute('error.type', type);
      span.setStatus({ code: SpanStatusCode.ERROR });
    },
    end: () => span.end(),
  };
}

function written({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

/** @param traceparent well-formed */
function read(traceparent: string): SpanContext {
  const [, traceId = '', spanId = '', flags = '00'] = traceparent.split('-');
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}

function remote(traceparent: string): Context {
  return trace.setSpanContext(ROOT_CONTEXT, read(traceparent));
}

/** Logs errors of the SDK, mostly failed exports. */
function ofLibrary(log: Logger): Parameters<typeof diag.setLogger>[0] {
  const warn = (message: string, ...more: unknown[]): void =>
    log.warn(
      { detail: [message, ...more].map(String).join(' ').slice(0, 500) },
      'Trace export failed.',
    );
  const ignore = (): void => undefined;
  return { error: warn, warn, info: ignore, debug: ignore, verbose: ignore };
}
