import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A received span. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Null for a root span. */
  readonly parentId: string | null;
  readonly name: string;
  /** `service.name` of the process that made it. */
  readonly service: string;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  readonly links: readonly { traceId: string; spanId: string }[];
  readonly failed: boolean;
}

/** A receiver of traces: OTLP over HTTP, in JSON (`OTEL_EXPORTER_OTLP_PROTOCOL=http/json`). */
export interface OtlpReceiver {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly url: string;
  /** Spans of a trace received so far, in start order. */
  trace(traceId: string): ReceivedSpan[];
  all(): ReceivedSpan[];
  /** Headers of every export so far. */
  headers(): IncomingHttpHeaders[];
  stop(): Promise<void>;
}

interface Value {
  stringValue?: string;
  intValue?: string | number;
  doubleValue?: number;
  boolValue?: boolean;
}
interface Attribute {
  key: string;
  value: Value;
}
interface OtlpSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  startTimeUnixNano: string;
  attributes?: Attribute[];
  links?: { traceId: string; spanId: string }[];
  status?: { code?: number };
}
interface OtlpExport {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: { spans: OtlpSpan[] }[];
  }[];
}

const failedStatus = 2;

/** Starts a receiver on a free port of 127.0.0.1. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const received: { span: ReceivedSpan; began: bigint }[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    const taken = request.method === 'POST' && request.url === '/v1/traces';
    json(request).then(
      (body) => {
        if (taken) {
          headers.push(request.headers);
          received.push(...spansOf(body as OtlpExport));
        }
        response.writeHead(taken ? 200 : 404, { 'content-type': 'application/json' }).end('{}');
      },
      () => response.writeHead(400).end(),
    );
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const inOrder = (): ReceivedSpan[] =>
    [...received].sort((a, b) => (a.began < b.began ? -1 : 1)).map(({ span }) => span);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    trace: (traceId) => inOrder().filter((span) => span.traceId === traceId),
    all: inOrder,
    headers: () => [...headers],
    stop: () =>
      new Promise((stopped) => {
        server.close(() => stopped());
        server.closeAllConnections();
      }),
  };
}

function spansOf({ resourceSpans }: OtlpExport): { span: ReceivedSpan; began: bigint }[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(attributesOf(resource.attributes)['service.name'] ?? '');
    return scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        span: receivedSpan(span, service),
        began: BigInt(span.startTimeUnixNano),
      })),
    );
  });
}

function receivedSpan(span: OtlpSpan, service: string): ReceivedSpan {
  const { traceId, spanId, name } = span;
  return {
    traceId,
    spanId,
    name,
    service,
    parentId: span.parentSpanId ? span.parentSpanId : null,
    attributes: attributesOf(span.attributes ?? []),
    links: (span.links ?? []).map((link) => ({ traceId: link.traceId, spanId: link.spanId })),
    failed: span.status?.code === failedStatus,
  };
}

function attributesOf(attributes: readonly Attribute[]): Record<string, string | number | boolean> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => {
      const { stringValue, intValue, doubleValue, boolValue } = value;
      const number = intValue === undefined ? doubleValue : Number(intValue);
      return [key, stringValue ?? boolValue ?? number ?? ''];
    }),
  );
}
