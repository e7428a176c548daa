import * as messages from '@bomtrail/messages';
import * as rules from '../decisions/decision-rules';
import { answers, handles, type RpcTransport } from '@bomtrail/messaging';
import {
  createAcceptance,
  createGlobalAcceptance,
  type CreateAcceptanceDeps,
} from '../decisions/create-acceptance';
import { decideInBulk, readBulkDecision, type DecideInBulkDeps } from '../decisions/decide-in-bulk';
import { deleteAcceptance } from '../decisions/delete-acceptance';
import { deleteBulkDecision } from '../decisions/delete-bulk';
import { listAcceptances, type ListAcceptancesDeps } from '../decisions/list-acceptances';
import { updateAcceptance } from '../decisions/update-acceptance';

export type DecisionHandlersDeps = CreateAcceptanceDeps &
  DecideInBulkDeps &
  rules.DecisionRulesDeps &
  ListAcceptancesDeps;

/** Decisions on one vulnerability, on many, and by rules. */
export function decisionHandlers(deps: DecisionHandlersDeps): RpcTransport[] {
  return [
    answers(messages.createAcceptance, (body) => createAcceptance(deps, body)),
    answers(messages.updateAcceptance, (body) => updateAcceptance(deps, body)),
    answers(messages.createGlobalAcceptance, (body) => createGlobalAcceptance(deps, body)),
    answers(messages.createDecisionRule, (body) => rules.createRule(deps, body)),
    answers(messages.listDecisionRules, (body) => rules.listRules(deps, body)),
    answers(messages.readDecisionRule, (body) => rules.readRule(deps, body)),
    answers(messages.updateDecisionRule, (body) => rules.updateRule(deps, body)),
    handles(messages.deleteDecisionRule, async (body) => {
      await rules.deleteRule(deps, body);
      return { body: { deleted: true } };
    }),
    answers(messages.decideInBulk, (body) => decideInBulk(deps, body)),
    answers(messages.readBulkDecision, (body) => readBulkDecision(deps, body)),
    handles(messages.deleteBulkDecision, async (body) => {
      await deleteBulkDecision(deps, body);
      return { body: { deleted: true } };
    }),
    answers(messages.listAcceptances, (body) => listAcceptances(deps, body)),
    handles(messages.deleteAcceptance, async (body) => {
      const project_id = await deleteAcceptance(deps, body);
      return { body: { deleted: true, ...(project_id && { project_id }) } };
    }),
  ];
}
