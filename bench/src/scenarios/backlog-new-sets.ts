import { runBacklog } from './backlog';
import type { Scenario } from './scenario';

/** Package versions in each document that occur in no other one. */
export const newVersionsPerSet = 20;

/** Many new component sets at once: each is parsed, and a tenth of its packages are new to the scanner. */
export const backlogNewSets: Scenario = {
  name: 'backlog-new-sets',
  description: `a new component set each (${newVersionsPerSet} new package versions), each to a new service`,
  size: { uploads: 300, clients: 32 },
  warmUpUploads: 40,
  run: (context, size) =>
    runBacklog(context, {
      name: 'Backlog of new sets',
      documents: Array.from({ length: size.uploads }, () =>
        context.sboms.newVersions(newVersionsPerSet),
      ),
      clients: size.clients,
    }),
};
