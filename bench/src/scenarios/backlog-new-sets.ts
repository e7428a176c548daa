import { runToNewServices } from './new-services';
import type { SharedScenario } from './scenario';

/** Package versions in each document that occur in no other one. */
export const newVersionsPerSet = 20;

/** Many new component sets at once: each is parsed, and a tenth of its packages are new to the scanner. */
export const backlogNewSets: SharedScenario = {
  name: 'backlog-new-sets',
  description: `a new component set each (${newVersionsPerSet} new package versions), each to a new service`,
  size: { uploads: 300, clients: 32 },
  warmUpUploads: 200,
  run: (context, size) =>
    runToNewServices(context, size, {
      name: 'Backlog of new sets',
      document: () => context.sboms.newVersions(newVersionsPerSet),
    }),
};
