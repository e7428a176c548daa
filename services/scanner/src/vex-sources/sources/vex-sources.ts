import type { HttpOptions } from '../../feeds/sources/http-get';
import type { VexSource } from '../ports';
import { createCsafProvider, providerMetadata } from './csaf-provider';
import { createVexFolder } from './vex-folder';
import { createVexRepository } from './vex-repository';

/** The watched sources: folders, CSAF providers, and repositories at other addresses. */
export function vexSourcesOf(addresses: readonly string[], http: HttpOptions): VexSource[] {
  return addresses.map((address) => {
    if (!/^https?:\/\//i.test(address)) return createVexFolder(address);
    const isProvider = new URL(address).pathname.endsWith(`/${providerMetadata}`);
    return isProvider ? createCsafProvider(address, http) : createVexRepository(address, http);
  });
}
