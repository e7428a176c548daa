import { acceptRates } from './accept-rate';
import { backlogNewSets } from './backlog-new-sets';
import { identicalBytes, identicalBytesNewServices } from './identical-bytes';
import { idleLatency } from './idle-latency';
import { nightlyFleet, nightlyNewServices } from './nightly';
import { oneService } from './one-service';
import type { SharedScenario } from './scenario';

/** All scenarios in the order in which they run. A new one is added here. */
export const scenarios: readonly SharedScenario[] = [
  idleLatency,
  backlogNewSets,
  nightlyFleet,
  nightlyNewServices,
  identicalBytes,
  identicalBytesNewServices,
  ...acceptRates,
  oneService,
];
