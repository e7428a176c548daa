import { runBacklog } from './backlog';
import type { Scenario } from './scenario';

/**
 * The base document as it is, to one new service after the other: stored, parsed and scanned long ago.
 * What remains is the record, and the findings in the lists of each service.
 */
export const identicalBytes: Scenario = {
  name: 'identical-bytes',
  description: 'the same bytes again, each to a new service',
  size: { uploads: 300, clients: 32 },
  warmUpUploads: 40,
  run: (context, size) =>
    runBacklog(context, {
      name: 'Identical bytes',
      documents: Array.from({ length: size.uploads }, () => context.sboms.base()),
      clients: size.clients,
    }),
};
