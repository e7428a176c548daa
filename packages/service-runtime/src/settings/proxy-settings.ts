import { z } from 'zod';
import { readProxies } from '@bomtrail/outbound';

const proxy = (what: string) =>
  z
    .string()
    .refine(isProxy, 'must be an address such as http://proxy.example.org:3128')
    .optional()
    .describe(
      `Proxy for outgoing ${what} connections, as http://user:password@host:port; default: direct`,
    );

/** Settings of services that connect to the outside. */
export const proxySettings = z.object({
  HTTPS_PROXY: proxy('https'),
  HTTP_PROXY: proxy('http'),
  NODE_EXTRA_CA_CERTS: z
    .string()
    .optional()
    .describe('PEM file with further trusted CA certificates'),
  NO_PROXY: z
    .string()
    .optional()
    .describe(
      'Hosts without proxy, comma-separated: names with everything below them, addresses, `host:port`, `*`',
    ),
});

function isProxy(text: string): boolean {
  try {
    readProxies({ https_proxy: text });
    return true;
  } catch {
    return false;
  }
}
