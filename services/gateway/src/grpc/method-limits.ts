import type { CallLimits } from './call-limits';

const healthMethod = (name: string): string => `/grpc.health.v1.Health/${name}`;
const reflectionMethods = ['v1', 'v1alpha'].map(
  (version) => `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`,
);

/** Size limit of a check, a watch or some reflection requests. */
const bytes = 4 * 1024;
/** Time limit for sending such a request, and for a check. */
const usualRequestMs = 10_000;

/** Clients send their reflection requests at once. */
const reflectionMs = 60_000;
/** A client needs one `Watch` per service and connection. */
const watchesPerConnection = 10;

export interface MethodLimitOptions {
  /** Maximum `Health/Watch` streams; at most a quarter of them per client. */
  watches: number;
  /** Milliseconds for a client to send its request. */
  requestMs?: number | undefined;
}

/** Limits of all methods without a key, by path. Uploads need a key and have their own queue. */
export function methodLimits(options: MethodLimitOptions): ReadonlyMap<string, CallLimits> {
  const { watches, requestMs = usualRequestMs } = options;
  // Checks are quick: many are open only if clients do not finish sending.
  const check: CallLimits = {
    total: 1_000,
    perClient: 250,
    perConnection: 100,
    bytes,
    requestMs,
    ageMs: requestMs,
  };
  const watch: CallLimits = {
    total: watches,
    perClient: Math.max(1, Math.floor(watches / 4)),
    perConnection: watchesPerConnection,
    bytes,
    requestMs,
    ageMs: null,
  };
  // Responses are some kilobytes, which a client may leave unread.
  const reflection: CallLimits = {
    total: 64,
    perClient: 16,
    perConnection: 4,
    bytes,
    requestMs: null,
    ageMs: reflectionMs,
  };
  return new Map([
    [healthMethod('Check'), check],
    [healthMethod('List'), check],
    [healthMethod('Watch'), watch],
    ...reflectionMethods.map((path) => [path, reflection] as const),
  ]);
}
