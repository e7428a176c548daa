import { isIP, isIPv6 } from 'node:net';

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

/**
 * By what failures are counted: an IPv4 address, or the /64 network of an IPv6 address, in which
 * every client can choose its own.
 */
export function addressGroup(address: string): string {
  const bare = address.split('%')[0] ?? '';
  if (!isIPv6(bare)) return address;
  const [head = '', tail] = new URL(`http://[${bare}]`).hostname.slice(1, -1).split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : 8 - first.length - last.length;
  const groups = [...first, ...Array.from({ length: zeros }, () => '0'), ...last];
  return `${groups.slice(0, 4).join(':')}::/64`;
}

/** IPv4 as it is written everywhere, also where it came over a socket of both families. */
function plain(address: string | null): string | null {
  return address?.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '') ?? null;
}

/** `192.0.2.1:4711` and `[2001:db8::1]:4711` as some proxies write them. */
function withoutPort(entry: string): string {
  return /^\[([^\]]+)\](?::\d+)?$/.exec(entry)?.[1] ?? entry.replace(/^([\d.]+):\d+$/, '$1');
}
