import { isIP } from 'node:net';
import { plainAddress } from '@bomtrail/http-edge';

/** What is known of where a request comes from. */
export interface Peer {
  /** The other end of the connection; null when it is gone already. */
  socket: string | null;
  /** `X-Forwarded-For` as it came: each proxy adds at the end whom it was called by. */
  forwarded: string | undefined;
}

/**
 * The address of the client. Of what a request says of itself only what our own proxies wrote is
 * believed: with `hops` of them in front, the entry that the outermost one added. A request that
 * did not pass all of them, or whose entry is no address, is where its connection comes from.
 *
 * @param hops proxies in front that can be trusted; 0: none, the header means nothing
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

/** `192.0.2.1:4711` and `[2001:db8::1]:4711` as some proxies write them. */
function withoutPort(entry: string): string {
  return /^\[([^\]]+)\](?::\d+)?$/.exec(entry)?.[1] ?? entry.replace(/^([\d.]+):\d+$/, '$1');
}
