import { createTurns, type Composition, type Kit } from '@bomtrail/service-kit';
import { notifierSubscriptions } from './events/subscriptions';
import { notifierAnswers } from './rpc/answers';
import { alertRuleIndexes, createAlertRuleStore } from './store/alert-rule-store';

/** Builds the notifier from what the kit gives. */
export function compose(kit: Kit): Composition {
  const deps = {
    rules: createAlertRuleStore(kit.database),
    request: kit.request,
    inTurn: createTurns(),
  };
  return {
    indexes: alertRuleIndexes,
    rpc: notifierAnswers(deps),
    events: notifierSubscriptions(kit.registry),
  };
}
