import { Counter, Histogram, type Registry } from 'prom-client';

export type Metrics = ReturnType<typeof createMetrics>;

const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 180];

/** What the gateway counts. Names are part of what dashboards and alert rules read. */
export function createMetrics(registry: Registry) {
  const registers = [registry];
  return {
    requests: new Histogram({
      name: 'bomtrail_http_request_duration_seconds',
      help: 'REST requests, body and waits included, by operation of the contract (`other`: none of them, or refused before) and status (`none`: the client left before the answer)',
      labelNames: ['operation', 'status'] as const,
      ...{ buckets, registers },
    }),
    calls: new Histogram({
      name: 'bomtrail_grpc_call_duration_seconds',
      help: 'gRPC uploads, message and waits included, by status',
      labelNames: ['method', 'status'] as const,
      ...{ buckets, registers },
    }),
    refusedConnections: new Counter({
      name: 'bomtrail_connections_refused_total',
      help: 'Connections that were closed at once, by protocol (`rest`, `grpc`) and the limit that was reached (`total`, `address`)',
      labelNames: ['protocol', 'limit'] as const,
      registers,
    }),
  };
}
