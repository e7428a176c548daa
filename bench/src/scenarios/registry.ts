import { backlogNewSets } from './backlog-new-sets';
import { identicalBytes } from './identical-bytes';
import { idleLatency } from './idle-latency';
import { nightlyFleet } from './nightly-fleet';
import type { Scenario } from './scenario';

/** All scenarios in the order in which they run. A new one is added here. */
export const scenarios: readonly Scenario[] = [
  idleLatency,
  backlogNewSets,
  nightlyFleet,
  identicalBytes,
];
