import type { CallLimits } from './call-limits';

const healthMethod = (name: string): string => `/grpc.health.v1.Health/${name}`;
const reflectionMethods = ['v1', 'v1alpha'].map(
  (version) => `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`,
);

/** A check, a watch or some questions of reflection: names of services and symbols. */
const bytes = 4 * 1024;
/** Time to send that, and to answer a check. */
const usualRequestMs = 10_000;

/** A client asks its questions at once. */
const reflectionMs = 60_000;
/** A client needs one `Watch` for each service that it calls over a connection. */
const watchesPerConnection = 10;

export interface MethodLimitOptions {
  /** Streams of `Health/Watch` at once; one client may have a quarter of them. */
  watches: number;
  /** Milliseconds in which a client must have sent its request. */
  requestMs?: number | undefined;
}

/** The limits of all methods that need no key, by path. Uploads have a key, and wait in their own queue. */
export function methodLimits(options: MethodLimitOptions): ReadonlyMap<string, CallLimits> {
  const { watches, requestMs = usualRequestMs } = options;
  // Health checks are answered at once: many are open only where clients do not send them to their end.
  const check: CallLimits = {
    ...{ total: 1_000, perClient: 250, perConnection: 100 },
    ...{ bytes, requestMs, ageMs: requestMs },
  };
  const watch: CallLimits = {
    ...{ total: watches, perClient: Math.max(1, Math.floor(watches / 4)) },
    ...{ perConnection: watchesPerConnection, bytes, requestMs, ageMs: null },
  };
  // Each answer is up to some kilobytes, which a client may leave unread.
  const reflection: CallLimits = {
    ...{ total: 64, perClient: 16, perConnection: 4 },
    ...{ bytes, requestMs: null, ageMs: reflectionMs },
  };
  return new Map([
    [healthMethod('Check'), check],
    [healthMethod('List'), check],
    [healthMethod('Watch'), watch],
    ...reflectionMethods.map((path) => [path, reflection] as const),
  ]);
}
