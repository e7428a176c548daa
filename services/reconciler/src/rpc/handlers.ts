import type { RpcTransport } from '@bomtrail/messaging';
import type { ImportVexDeps } from '../vex/import-vex';
import type { DeadLetterDeps } from '../dead-letters/manage-dead-letters';
import { deadLetterHandlers } from './dead-letter-handlers';
import { decisionHandlers, type DecisionHandlersDeps } from './decision-handlers';
import { gateHandlers, type GateHandlersDeps } from './gate-handlers';
import { queryHandlers, type QueryHandlersDeps } from './query-handlers';
import { removalHandlers, type RemovalHandlersDeps } from './removal-handlers';
import { vexHandlers } from './vex-handlers';

/** All request handlers of the reconciler. */
export function reconcilerHandlers(
  deps: QueryHandlersDeps &
    GateHandlersDeps &
    DecisionHandlersDeps &
    ImportVexDeps &
    RemovalHandlersDeps &
    DeadLetterDeps,
): RpcTransport[] {
  return [
    ...queryHandlers(deps),
    ...gateHandlers(deps),
    ...decisionHandlers(deps),
    ...vexHandlers(deps),
    ...removalHandlers(deps),
    ...deadLetterHandlers(deps),
  ];
}
