import * as messages from '@bomtrail/messages';
import { handles, type RpcTransport } from '@bomtrail/messaging';
import {
  createAcceptance,
  createGlobalAcceptance,
  type CreateAcceptanceDeps,
} from '../decisions/create-acceptance';
import { decideInBulk, readBulkDecision, type DecideInBulkDeps } from '../decisions/decide-in-bulk';
import * as rules from '../decisions/decision-rules';
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
    handles(messages.createAcceptance, async (body) => ({
      body: await createAcceptance(deps, body),
    })),
    handles(messages.updateAcceptance, async (body) => ({
      body: await updateAcceptance(deps, body),
    })),
    handles(messages.createGlobalAcceptance, async (body) => ({
      body: await createGlobalAcceptance(deps, body),
    })),
    handles(messages.createDecisionRule, async (body) => ({
      body: await rules.createRule(deps, body),
    })),
    handles(messages.listDecisionRules, async (body) => ({
      body: await rules.listRules(deps, body),
    })),
    handles(messages.readDecisionRule, async (body) => ({
      body: await rules.readRule(deps, body),
    })),
    handles(messages.updateDecisionRule, async (body) => ({
      body: await rules.updateRule(deps, body),
    })),
    handles(messages.deleteDecisionRule, async (body) => {
      await rules.deleteRule(deps, body);
      return { body: { deleted: true } };
    }),
    handles(messages.decideInBulk, async (body) => ({ body: await decideInBulk(deps, body) })),
    handles(messages.readBulkDecision, async (body) => ({
      body: await readBulkDecision(deps, body),
    })),
    handles(messages.deleteBulkDecision, async (body) => {
      await deleteBulkDecision(deps, body);
      return { body: { deleted: true } };
    }),
    handles(messages.listAcceptances, async (body) => ({
      body: await listAcceptances(deps, body),
    })),
    handles(messages.deleteAcceptance, async (body) => {
      const project_id = await deleteAcceptance(deps, body);
      return { body: { deleted: true, ...(project_id && { project_id }) } };
    }),
  ];
}
