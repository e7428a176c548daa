import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** How a question ended: `refused` with an outcome that the caller is told, `failed` with a fault of ours. */
export type QuestionEnd = 'answered' | 'refused' | 'failed';
/** How one delivery of a message ended; see `handleMessage`. */
export type MessageEnd = 'done' | 'again' | 'left_to_sweep' | 'given_up';

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
/** A message may wait behind a long backlog. */
const waitSeconds = [0.01, 0.05, 0.25, 1, 5, 15, 60, 300, 900, 3600, 6 * 3600];

export type BusMetrics = ReturnType<typeof createBusMetrics>;

/** What the doors to the bus count. Without a registry they count for nobody. */
export function createBusMetrics(registry?: Registry) {
  const registers = registry ? [registry] : [];
  return {
    deadLetters: new Counter({
      name: 'bomtrail_dead_letters_total',
      help: 'Messages that were given up and laid among the dead letters',
      labelNames: ['consumer'] as const,
      registers,
    }),
    questions: new Histogram({
      name: 'bomtrail_question_duration_seconds',
      help: 'Time to answer a question of another service; `refused`: with an outcome that the caller is told; `failed`: with a fault',
      labelNames: ['question', 'outcome'] as const,
      buckets: seconds,
      registers,
    }),
    requests: new Gauge({
      name: 'bomtrail_requests_in_progress',
      help: 'Questions of other services that this process has taken: `running`, or `queued` for their turn',
      labelNames: ['question', 'state'] as const,
      registers,
    }),
    rejectedRequests: new Counter({
      name: 'bomtrail_requests_rejected_total',
      help: 'Questions that found the queue full, or waited in it for longer than their caller; each is answered with `service_unavailable`',
      labelNames: ['question'] as const,
      registers,
    }),
    messages: new Histogram({
      name: 'bomtrail_message_duration_seconds',
      help: 'Time to handle one delivery of a message; `again`: it is tried again; `left_to_sweep`: what it needs is away; `given_up`: it is a dead letter',
      labelNames: ['consumer', 'outcome'] as const,
      buckets: seconds,
      registers,
    }),
    waits: new Histogram({
      name: 'bomtrail_message_wait_seconds',
      help: 'Time from the storing of a message until it is handled for the first time',
      labelNames: ['consumer'] as const,
      buckets: waitSeconds,
      registers,
    }),
  };
}

/** Gives the seconds since now. */
export function stopwatch(): () => number {
  const began = performance.now();
  return () => (performance.now() - began) / 1000;
}
