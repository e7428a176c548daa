import { createTurns, type Composition, type IndexPlan, type Kit } from '@bomtrail/service-kit';
import { reconcilerSubscriptions } from './events/subscriptions';
import { reconcilerAnswers } from './rpc/answers';
import { acceptanceIndexes, createAcceptanceStore } from './store/acceptance-store';
import { createDetailsStore } from './store/details-store';
import { createForgetStore, forgetIndexes } from './store/forget-store';
import { createLedgerStore, ledgerIndexes } from './store/ledger-store';
import { createListStore, listIndexes } from './store/list-store';
import { reconcilerSweeps } from './sweeps/sweeps';

/** Builds the reconciler from what the kit gives. */
export function compose(kit: Kit): Composition {
  const forgotten = createForgetStore(kit.database);
  const deps = {
    forgotten,
    ledgers: createLedgerStore(kit.database),
    acceptances: createAcceptanceStore(kit.database),
    details: createDetailsStore(kit.database.db),
    lists: createListStore(kit.database.db, forgotten),
    request: kit.request,
    publish: kit.publish,
    announce: kit.announce,
    inTurn: createTurns(),
  };
  return {
    indexes: together(ledgerIndexes, acceptanceIndexes, listIndexes, forgetIndexes),
    rpc: reconcilerAnswers(deps),
    events: reconcilerSubscriptions(deps),
    sweeps: reconcilerSweeps(deps, kit.log),
  };
}

/** Several stores may index one collection. */
function together(...plans: IndexPlan[]): IndexPlan {
  const all: Record<string, IndexPlan[string]> = {};
  for (const plan of plans) {
    for (const [collection, indexes] of Object.entries(plan)) {
      all[collection] = [...(all[collection] ?? []), ...indexes];
    }
  }
  return all;
}
