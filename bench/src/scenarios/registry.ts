import { acceptRates } from './accept-rate';
import { activeList } from './active-list';
import { atRest } from './at-rest';
import { backlogNewSets } from './backlog-new-sets';
import { besideABacklog } from './beside-a-backlog';
import { besideRescans } from './beside-rescans';
import { bigDocuments } from './big-documents';
import { fleetRelease } from './fleet-release';
import { identicalBytes, identicalBytesNewServices } from './identical-bytes';
import { idleLatency } from './idle-latency';
import { nightlyUnderFeed } from './nightly-under-feed';
import { nightlyFleet, nightlyNewServices } from './nightly';
import { oneService } from './one-service';
import type { OwnScenario } from './own-scenario';
import { scannerScaling } from './scanner-scaling';
import type { SharedScenario } from './scenario';

/** The scenarios of the shared stack in the order in which they run. A new one is added here. */
export const sharedScenarios: readonly SharedScenario[] = [
  idleLatency,
  backlogNewSets,
  nightlyFleet,
  nightlyNewServices,
  identicalBytes,
  identicalBytesNewServices,
  ...acceptRates,
  oneService,
  besideABacklog,
  ...bigDocuments,
  // Last, as its thousand services would make every list longer.
  fleetRelease,
];

/** The scenarios with stacks of their own, which run after these. */
export const ownScenarios: readonly OwnScenario[] = [
  nightlyUnderFeed,
  besideRescans,
  scannerScaling,
  activeList,
  atRest,
];

export const scenarios = [...sharedScenarios, ...ownScenarios];
