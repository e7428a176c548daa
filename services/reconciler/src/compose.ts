import { createTurns, together, type Composition, type Kit } from '@bomtrail/service-kit';
import { LRUCache } from 'lru-cache';
import { createScanCache } from './cache/scan-cache';
import type { Observation } from './domain/types';
import { reconcilerSubscriptions } from './events/subscriptions';
import { createMetrics } from './metrics';
import { reconcilerAnswers } from './rpc/answers';
import {
  acceptanceIndexes,
  createAcceptanceStore,
  createEpochReader,
} from './store/acceptance-store';
import { createDetailsStore } from './store/details-store';
import { createForgetStore, forgetIndexes } from './store/forget-store';
import { createLedgerStore, ledgerIndexes } from './store/ledger-store';
import { createLedgersTogether } from './store/ledgers-together';
import { prepareLists } from './store/prepare-lists';
import { listIndexes } from './store/list-indexes';
import { createListStore } from './store/list-store';
import { createLogPoints } from './store/log-points';
import { createRecordStore } from './store/record-store';
import { createStateListStore, stateListIndexes } from './store/state-list-store';
import { reconcilerSweeps } from './sweeps/sweeps';
import { uncountedLedgers } from './sweeps/uncounted-ledgers';
import { createLapses } from './use-cases/lapse-expired';
import { readScanWithDetails } from './use-cases/reconcile-sbom';

/** Equal ones of the sets that re-scans share. */
const keptObservations = 50_000;

/** Builds the reconciler from what the kit gives. */
export function compose(kit: Kit): Composition {
  const forgotten = createForgetStore(kit.database);
  const details = createDetailsStore(kit.database.db);
  const { request } = kit;
  const equals = new LRUCache<string, Observation>({ max: keptObservations });
  const own = {
    forgotten,
    ledgers: createLedgerStore(kit.database),
    acceptances: createAcceptanceStore(kit.database),
    details,
    scans: createScanCache((digest) => readScanWithDetails({ details, request }, digest, equals)),
    metrics: createMetrics(kit.registry),
    lists: createListStore(kit.database, forgotten),
    stateLists: createStateListStore(kit.database.db, forgotten),
    logPoints: createLogPoints(kit.database.db),
    records: createRecordStore(kit.database),
    request,
    publish: kit.publish,
    announce: kit.announce,
    inTurn: createTurns(),
  };
  const deps = { ...own, lapses: createLapses(own) };
  const { ledgers, acceptances } = deps;
  const ofRescans = {
    ...deps,
    ledgers: createLedgersTogether(kit.database, ledgers),
    acceptances: { ...acceptances, epoch: createEpochReader(acceptances) },
  };
  return {
    indexes: together(
      ledgerIndexes,
      acceptanceIndexes,
      listIndexes,
      stateListIndexes,
      forgetIndexes,
    ),
    start: () => prepareLists(kit),
    rpc: reconcilerAnswers(deps),
    events: reconcilerSubscriptions(deps, ofRescans),
    sweeps: [...reconcilerSweeps(deps, kit.log), uncountedLedgers(kit)],
  };
}
