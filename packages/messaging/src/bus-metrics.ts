import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/**
 * Outcome of a request: `rejected` with an error for the caller, `failed` with an internal error, `cancelled` by its
 * caller.
 */
export type RequestOutcome = 'answered' | 'rejected' | 'failed' | 'cancelled';
/** Outcome of one delivery of a message; see `handleMessage`. */
export type MessageOutcome = 'done' | 'retried' | 'left_to_sweep' | 'dead_lettered';

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
/** A message may wait behind a long backlog. */
const waitSeconds = [0.01, 0.05, 0.25, 1, 5, 15, 60, 300, 900, 3600, 6 * 3600];

export type BusMetrics = ReturnType<typeof createBusMetrics>;

/** Metrics of the bus transports. Without a registry they are not exported. */
export function createBusMetrics(registry?: Registry) {
  const registers = registry ? [registry] : [];
  return {
    deadLetters: new Counter({
      name: 'bomtrail_dead_letters_total',
      help: 'Messages moved to the dead-letter stream',
      labelNames: ['consumer'] as const,
      registers,
    }),
    rpc: new Histogram({
      name: 'bomtrail_rpc_duration_seconds',
      help: 'Time to handle a request of another service; `rejected`: with an error for the caller; `failed`: with an internal error',
      labelNames: ['method', 'outcome'] as const,
      buckets: seconds,
      registers,
    }),
    requests: new Gauge({
      name: 'bomtrail_requests_in_progress',
      help: 'Requests of other services in this process: `running` or `queued`',
      labelNames: ['method', 'state'] as const,
      registers,
    }),
    rejectedRequests: new Counter({
      name: 'bomtrail_requests_rejected_total',
      help: 'Requests rejected with `service_unavailable`: the queue was full, or the caller had timed out',
      labelNames: ['method'] as const,
      registers,
    }),
    messages: new Histogram({
      name: 'bomtrail_message_duration_seconds',
      help: 'Time to handle one delivery of a message; `retried`: it is delivered again; `left_to_sweep`: a dependency is down, a sweep sends it again; `dead_lettered`: it failed for good',
      labelNames: ['consumer', 'outcome'] as const,
      buckets: seconds,
      registers,
    }),
    waits: new Histogram({
      name: 'bomtrail_message_wait_seconds',
      help: 'Time from storing a message to the start of its first handling',
      labelNames: ['consumer'] as const,
      buckets: waitSeconds,
      registers,
    }),
  };
}

/** Starts a stopwatch; the function returned gives the seconds since then. */
export function stopwatch(): () => number {
  const began = performance.now();
  return () => (performance.now() - began) / 1000;
}
