import type { LookupAddress, LookupAllOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isInternalHost } from '@bomtrail/api-contract';

/** All addresses of a name, as `dns.lookup` gives them. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** `code` of the error when a name leads to an internal address. */
export const internalAddress = 'EINTERNALADDRESS';

/**
 * A lookup for a connection that fails when any address of the name is a private, loopback, link-local or
 * otherwise internal one. The connection is made to the very addresses that were looked at: there is no
 * second resolution between the check and the use that could say something else.
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
