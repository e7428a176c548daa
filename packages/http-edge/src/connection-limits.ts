import type { Server, Socket } from 'node:net';
import { addressGroup } from './address-group';

/** Connection limits of a server. */
export interface ConnectionLimits {
  /** From all clients. */
  total: number;
  /** From one IPv4 address, or one /64 network of IPv6. */
  perAddress: number;
  /** Called for each connection closed by a limit. */
  onRefused?: ((refused: RefusedConnection) => void) | undefined;
}

export interface RefusedConnection {
  /** The exceeded limit. */
  limit: 'total' | 'address';
  /** Peer address; null if already disconnected. */
  address: string | null;
}

/** Default maximum of REST connections: 10,000 waiting callers, plus others. */
export const usualHttpConnections = 12_000;

/** Default share of one address. */
const shareOfOneAddress = 4;

/**
 * The limit per address: as set, else a quarter of all connections; all of them behind a proxy,
 * since all clients have its address then.
 *
 * @param proxyHops number of trusted proxies in front
 */
export function connectionsPerAddress(given: {
  total: number;
  perAddress: number | undefined;
  proxyHops: number;
}): number {
  const { total, perAddress, proxyHops } = given;
  if (perAddress !== undefined) return perAddress;
  return proxyHops > 0 ? total : Math.max(1, Math.floor(total / shareOfOneAddress));
}

/**
 * Counts connections.
 *
 * @returns whether a new connection is within the limits; it is then counted until it closes, else
 * the caller
 * must close it
 */
export function createConnectionCount(limits: ConnectionLimits): (socket: Socket) => boolean {
  const byAddress = new Map<string, number>();
  let open = 0;

  const refuse = (limit: RefusedConnection['limit'], socket: Socket): boolean => {
    limits.onRefused?.({ limit, address: socket.remoteAddress ?? null });
    return false;
  };

  return (socket) => {
    const group = addressGroup(socket.remoteAddress ?? '');
    const ofGroup = byAddress.get(group) ?? 0;
    if (open >= limits.total) return refuse('total', socket);
    if (ofGroup >= limits.perAddress) return refuse('address', socket);
    open += 1;
    byAddress.set(group, ofGroup + 1);
    socket.once('close', () => {
      open -= 1;
      const left = (byAddress.get(group) ?? 1) - 1;
      if (left === 0) byAddress.delete(group);
      else byAddress.set(group, left);
    });
    return true;
  };
}

/** Closes connections beyond the limits before reading from them. */
export function limitConnections(server: Server, limits: ConnectionLimits): void {
  const admits = createConnectionCount(limits);
  server.prependListener('connection', (socket: Socket) => {
    if (!admits(socket)) socket.destroy();
  });
}
