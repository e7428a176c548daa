import {
  createKeyedMutex,
  together as allIndexes,
  type Composition,
  type Kit,
} from '@bomtrail/service-kit';
import { createScanCache } from './cache/scan-cache';
import type { Settings } from './config';
import { reconcilerSubscriptions } from './events/subscriptions';
import { createMetrics } from './metrics';
import { reconcilerHandlers } from './rpc/handlers';
import {
  acceptanceIndexes,
  createAcceptanceStore,
  createAcceptancesTogether,
} from './store/acceptance-store';
import { createDetailsStore, detailsIndexes } from './store/details-store';
import { createEpisodeStore } from './store/episode-store';
import { createForgetStore, forgetIndexes } from './store/forget-store';
import { createLedgerStore, ledgerIndexes } from './store/ledger-store';
import { createLedgersTogether } from './store/ledgers-together';
import { prepareLists } from './store/prepare-lists';
import { listIndexes } from './store/list-indexes';
import { createListStore } from './store/list-store';
import { createRecordStore } from './store/record-store';
import { createStateListStore, stateListIndexes } from './store/state-list-store';
import { detailsSweeps } from './sweeps/details-sweeps';
import { reconcilerSweeps } from './sweeps/sweeps';
import { uncountedLedgers } from './sweeps/uncounted-ledgers';
import { createUploadsInHand } from './use-cases/append-uploads';
import { createLapses } from './use-cases/lapse-expired';
import { createUploadsFirst } from './use-cases/yield-to-uploads';
import { createScanReader } from './use-cases/read-scans';

/** Builds the reconciler from what the kit gives. */
export function compose(kit: Kit, settings: Settings): Composition {
  const graceMs = settings.BOMTRAIL_GARBAGE_GRACE_SECONDS * 1000;
  const memoryMs = graceMs / 4;
  const forgotten = createForgetStore(kit.database);
  const details = createDetailsStore(kit.database.db, memoryMs);
  const lists = createListStore(kit.database, forgotten);
  const { request } = kit;
  const own = {
    forgotten,
    ledgers: createLedgerStore(kit.database),
    acceptances: createAcceptanceStore(kit.database),
    details,
    scans: createScanCache(createScanReader({ request, keep: details.keep }), memoryMs),
    metrics: createMetrics(kit.registry),
    lists,
    stateLists: createStateListStore(kit.database, { forgotten, lists }),
    records: createRecordStore(kit.database),
    episodes: createEpisodeStore(kit.database, forgotten),
    request,
    publish: kit.publish,
    announce: kit.announce,
    conclude: kit.conclude,
    withKey: createKeyedMutex(),
    uploadsInHand: createUploadsInHand(),
    uploadsFirst: createUploadsFirst(),
  };
  const manyLines = () => ({
    ...own,
    ledgers: createLedgersTogether(kit.database, own.ledgers),
    acceptances: createAcceptancesTogether(own.acceptances),
  });
  const together = manyLines();
  const deps = { ...own, together, lapses: createLapses({ ...own, together, leases: kit.leases }) };
  return {
    indexes: allIndexes(
      ledgerIndexes,
      acceptanceIndexes,
      listIndexes,
      stateListIndexes,
      forgetIndexes,
      detailsIndexes,
    ),
    start: () => prepareLists(kit),
    rpc: reconcilerHandlers(deps),
    // Groups of their own: no upload waits for the lines of a re-scan.
    events: reconcilerSubscriptions({ ...manyLines(), publish: kit.publish }, together),
    sweeps: [
      ...reconcilerSweeps(deps, kit.log),
      ...detailsSweeps({ details, graceMs }),
      uncountedLedgers(kit),
    ],
  };
}
