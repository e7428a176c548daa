/** Bounds of the calls to one method, or to several that share them. */
export interface CallLimits {
  /** Open at once, from all clients. */
  total: number;
  /** From one client: an IPv4 address, or a /64 network of IPv6. */
  perClient: number;
  /** On one connection. */
  perConnection: number;
  /** Bytes of all messages of one call, with their framing. */
  bytes: number;
  /** Milliseconds until the client must have sent all that it sends; null: it may send as long as the call lasts. */
  requestMs: number | null;
  /** Milliseconds until the call is ended, whatever it does; null: its connection's age bounds it. */
  ageMs: number | null;
}

/** Where a call comes from. */
export interface CallOrigin {
  /** Address group of the client. */
  client: string;
  /** The connection, by both of its ends. */
  connection: string;
}

/** Open calls under one `CallLimits`. */
export interface CallCount {
  /** Counts a call. null: a limit is reached; otherwise ends the call's place, any number of times. */
  enter(origin: CallOrigin): (() => void) | null;
}

/** Counts the open calls that share limits. */
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

/** Counts by key; a key without a count takes no memory. */
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
