import { runBacklog } from './backlog';
import type { Scenario } from './scenario';

/**
 * What a nightly build of many services sends: every document is new in its bytes (serial number,
 * timestamp), its packages are known. It must be parsed; nothing is left to match.
 */
export const nightlyFleet: Scenario = {
  name: 'nightly-fleet',
  description: 'the same packages in new documents, each to a new service',
  size: { uploads: 300, clients: 32 },
  warmUpUploads: 40,
  run: (context, size) =>
    runBacklog(context, {
      name: 'Nightly fleet',
      documents: Array.from({ length: size.uploads }, () => context.sboms.newIdentity()),
      clients: size.clients,
    }),
};
