import { isIPv6 } from 'node:net';

/**
 * Key for counting connections and failures of a client: an IPv4 address, or the /64 network of an
 * IPv6 address, within which a client can choose its address.
 */
export function addressGroup(address: string): string {
  const bare = plainAddress(address).split('%')[0] ?? '';
  if (!isIPv6(bare)) return plainAddress(address);
  const [head = '', tail] = new URL(`http://[${bare}]`).hostname.slice(1, -1).split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : 8 - first.length - last.length;
  const groups = [...first, ...Array.from({ length: zeros }, () => '0'), ...last];
  return `${groups.slice(0, 4).join(':')}::/64`;
}

/** IPv4 in its usual form, also from dual-stack sockets. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');
}
