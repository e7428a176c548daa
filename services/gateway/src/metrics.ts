import { Counter, Histogram, type Registry } from 'prom-client';

export type Metrics = ReturnType<typeof createMetrics>;

const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 180];

/** Metrics of the gateway. Dashboards and alert rules depend on the names. */
export function createMetrics(registry: Registry) {
  const registers = [registry];
  return {
    requests: new Histogram({
      name: 'bomtrail_http_request_duration_seconds',
      help: 'REST requests, including body and waits, by operation of the contract (`other`: none, or rejected before) and status (`none`: the client disconnected first)',
      labelNames: ['operation', 'status'] as const,
      buckets,
      registers,
    }),
    calls: new Histogram({
      name: 'bomtrail_grpc_call_duration_seconds',
      help: 'gRPC uploads, including message and waits, by status',
      labelNames: ['method', 'status'] as const,
      buckets,
      registers,
    }),
    refusedConnections: new Counter({
      name: 'bomtrail_connections_refused_total',
      help: 'Rejected connections, by protocol (`rest`, `grpc`) and limit (`total`, `address`)',
      labelNames: ['protocol', 'limit'] as const,
      registers,
    }),
  };
}
