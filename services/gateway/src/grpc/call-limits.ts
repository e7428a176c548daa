/** Limits of the calls to one method, or to several that share them. */
export interface CallLimits {
  /** Open calls of all clients. */
  total: number;
  /** Open calls per client: an IPv4 address, or a /64 network of IPv6. */
  perClient: number;
  /** Open calls per connection. */
  perConnection: number;
  /** Bytes of all messages of one call, with their framing. */
  bytes: number;
  /** Milliseconds for the request; null: unlimited. */
  requestMs: number | null;
  /** Maximum duration in milliseconds; null: limited by the connection's age. */
  ageMs: number | null;
}

/** The origin of a call. */
export interface CallOrigin {
  /** Address group of the client. */
  client: string;
  /** The connection, by both addresses. */
  connection: string;
}

/** Open calls under one `CallLimits`. */
export interface CallCount {
  /**
   * Counts a call. Returns null if a limit is reached, else a function that ends the call
   * (idempotent).
   */
  enter(origin: CallOrigin): (() => void) | null;
}

/** Counts open calls with shared limits. */
export function createCallCount(
  limits: Pick<CallLimits, 'total' | 'perClient' | 'perConnection'>,
): CallCount {
  const clients = createTally(limits.perClient);
  const connections = createTally(limits.perConnection);
  let open = 0;

  return {
    enter({ client, connection }) {
      if (open >= limits.total || clients.isFull(client) || connections.isFull(connection)) {
        return null;
      }
      open += 1;
      clients.add(client);
      connections.add(connection);
      let left = false;
      return () => {
        if (left) return;
        left = true;
        open -= 1;
        clients.remove(client);
        connections.remove(connection);
      };
    },
  };
}

/** Counts by key; keys without calls take no memory. */
function createTally(most: number) {
  const counts = new Map<string, number>();
  return {
    isFull: (key: string): boolean => (counts.get(key) ?? 0) >= most,
    add: (key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1),
    remove(key: string): void {
      const left = (counts.get(key) ?? 1) - 1;
      if (left === 0) counts.delete(key);
      else counts.set(key, left);
    },
  };
}
