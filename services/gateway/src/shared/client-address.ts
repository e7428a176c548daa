import { isIP } from 'node:net';
import { plainAddress } from '@bomtrail/http-edge';

/** The origin of a request. */
export interface Peer {
  /** Peer address of the connection; null if it is closed. */
  socket: string | null;
  /** `X-Forwarded-For`: each proxy appends the address of its caller. */
  forwarded: string | undefined;
}

/**
 * The address of the client, trusting only entries written by our own proxies: with `hops` proxies
 * in front, the entry added by the outermost one. If a request did not pass all of them, or the
 * entry is not an address, the peer address.
 *
 * @param hops number of trusted proxies in front; 0 ignores the header
 */
export function clientAddress({ socket, forwarded }: Peer, hops: number): string | null {
  if (hops === 0 || !forwarded) return plain(socket);
  const entry = forwarded.split(',').at(-hops)?.trim() ?? '';
  const address = withoutPort(entry);
  return isIP(address) === 0 ? plain(socket) : plain(address);
}

function plain(address: string | null): string | null {
  return address === null ? null : plainAddress(address);
}

/** Removes the port from `192.0.2.1:4711` and `[2001:db8::1]:4711`, as some proxies write. */
function withoutPort(entry: string): string {
  return /^\[([^\]]+)\](?::\d+)?$/.exec(entry)?.[1] ?? entry.replace(/^([\d.]+):\d+$/, '$1');
}
