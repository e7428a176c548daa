import ipaddr from 'ipaddr.js';

/** Example addresses (RFC 5737, RFC 3849) are harmless and useful for trials. */
const ofExamples = {
  examples: ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '2001:db8::/32'].map((net) =>
    ipaddr.parseCIDR(net),
  ),
};
/**
 * Global unicast as assigned by IANA; the rest of IPv6 is special, for example with an embedded
 * IPv4 address.
 */
const globalIpv6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether a host is internal by its name alone: `localhost` and its subdomains (RFC 6761), and
 * every private, loopback, link-local or otherwise special address (IANA special-purpose
 * registries), including IPv4 addresses embedded in IPv6. Other names are not resolved.
 *
 * @param hostname of a `URL`, which has normalised IPv4 addresses and put brackets around IPv6 ones
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
