import ipaddr from 'ipaddr.js';

/** Addresses of examples (RFC 5737, RFC 3849) lead nowhere: they do no harm, and people try things with them. */
const ofExamples = {
  examples: ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '2001:db8::/32'].map((net) =>
    ipaddr.parseCIDR(net),
  ),
};
/** What IANA has given out as global unicast; the rest of IPv6 is for special uses, such as an IPv4 address inside. */
const globalIpv6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Does this host say by itself that it is no place on the public internet? So do `localhost` and what
 * is below it (RFC 6761), and every address that is private, loopback, link-local or otherwise special
 * (IANA's special-purpose registries), also as an IPv4 address inside an IPv6 one. What another name
 * resolves to is not looked at.
 *
 * @param hostname of a `URL`, which has spelt an IPv4 address in its one canonical form and put
 *   brackets around an IPv6 one
 */
export function isInternalHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
  if (host === 'localhost' || host.endsWith('.localhost')) return true;
  return ipaddr.isValid(host) && !isPublicAddress(host);
}

function isPublicAddress(text: string): boolean {
  const address = ipaddr.process(text);
  if (ipaddr.subnetMatch(address, ofExamples, 'others') === 'examples') return true;
  if (address instanceof ipaddr.IPv6 && !address.match(globalIpv6)) return false;
  return address.range() === 'unicast';
}
