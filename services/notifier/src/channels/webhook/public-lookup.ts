import type { LookupAddress, LookupAllOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isInternalHost } from '@bomtrail/api-contract';

/** Resolves all addresses of a name, like `dns.lookup`. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** `code` of the error if a name resolves to an internal address. */
export const internalAddress = 'EINTERNALADDRESS';

/**
 * A connection lookup that fails if any address of the name is private, loopback, link-local or
 * otherwise internal. The connection uses exactly the checked addresses, without a second
 * resolution.
 */
export function publicLookup(resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) {
        callback(error, []);
        return;
      }
      const [first] = addresses;
      if (first === undefined || addresses.some(({ address }) => isInternalHost(address))) {
        callback(Object.assign(new Error('internal address'), { code: internalAddress }), []);
        return;
      }
      if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

/** One checked address of a name, or an address itself. @throws as `publicLookup` */
export function publicAddress(resolve: Resolve, hostname: string): Promise<string> {
  return new Promise((found, failed) => {
    publicLookup(resolve)(hostname, { all: false }, (error, address) => {
      if (error) failed(error);
      else found(address as string);
    });
  });
}
