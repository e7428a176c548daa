import type { Server, Socket } from 'node:net';
import { addressGroup } from './address-group';

/** How many connections a server holds at once. */
export interface ConnectionLimits {
  /** From all clients together. */
  total: number;
  /** From one IPv4 address, or one /64 network of IPv6. */
  perAddress: number;
  /** Called for each connection that is closed because of a limit. */
  onRefused?: ((refused: RefusedConnection) => void) | undefined;
}

export interface RefusedConnection {
  /** Which limit was reached. */
  limit: 'total' | 'address';
  /** Where the connection came from; null: it was gone already. */
  address: string | null;
}

/** REST connections at once, unless a setting says another number: 10,000 readers may wait, and others come and go. */
export const usualHttpConnections = 12_000;

/** The share of all connections that one address may hold, unless a setting says another. */
const shareOfOneAddress = 4;

/**
 * The limit for one address: as it is set, else a quarter of all connections. Behind a proxy all clients have the
 * proxy's address: then all of them.
 *
 * @param proxyHops proxies in front whose word on the client's address is believed; 0: none
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
 * @returns whether a new connection is within the limits; if so, it is counted until it closes, else the caller
 *   closes it
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

/** Closes each connection of a server that is beyond the limits, before anything is read from it. */
export function limitConnections(server: Server, limits: ConnectionLimits): void {
  const admits = createConnectionCount(limits);
  server.prependListener('connection', (socket: Socket) => {
    if (!admits(socket)) socket.destroy();
  });
}
