import type { components } from '@bomtrail/api-contract';
import * as messages from '@bomtrail/messages';
import { AppError } from '@bomtrail/messages';
import { actorOf } from '../access/actor-of';
import { maySee, scopeOf, type Caller } from '../api-keys/domain/caller';
import { namesOf } from '../projects/service-names';
import type { PageRequest } from '../shared/page-envelope';
import {
  checkContent,
  type AcceptanceDeps,
  type Content,
} from '../vulnerabilities/manage-acceptances';

type Rule = components['schemas']['DecisionRule'];

export interface NewRule extends Content {
  name: string;
  filter: messages.RuleFilter;
  reason: string;
}

export interface RuleChange extends Content {
  name?: string;
  reason?: string;
}

/** One page of the rules of a project, newest first. @throws AppError `project_not_found` */
export async function listRules(
  deps: AcceptanceDeps,
  caller: Caller,
  query: PageRequest & { project_id: string },
): Promise<messages.PageOf<Rule>> {
  const { project_id } = query;
  if (!maySee(caller, project_id)) throw new AppError('project_not_found');
  await deps.request(messages.getProject, { project_id, project_slug: null });
  const { body } = await deps.request(messages.listDecisionRules, query);
  return { total: body.total, items: await withNames(deps, body.items) };
}

/**
 * @throws ValidationError if fields contradict each other; AppError `project_not_found`, `service_not_found`,
 *   `too_many_decision_rules`
 */
export async function createRule(
  deps: AcceptanceDeps,
  caller: Caller,
  { filter, ...rule }: NewRule & { project_id: string },
): Promise<Rule> {
  checkContent(rule, rule.decision ?? 'risk_accepted');
  if (!maySee(caller, rule.project_id)) throw new AppError('project_not_found');
  const services = filter.service_ids?.map((id) => id.toLowerCase());
  const request = {
    ...rule,
    filter: { ...filter, ...(services && { service_ids: services }) },
    created_by: actorOf(caller),
  };
  return named(deps, (await deps.request(messages.createDecisionRule, request)).body);
}

/** @throws AppError `decision_rule_not_found` */
export async function readRule(
  deps: AcceptanceDeps,
  caller: Caller,
  rule_id: string,
): Promise<Rule> {
  const query = { rule_id, of_project: scopeOf(caller) };
  return named(deps, (await deps.request(messages.readDecisionRule, query)).body);
}

/**
 * @throws ValidationError if fields contradict each other; AppError `decision_rule_not_found`, `acceptance_expired`,
 *   `acceptance_changed_too_often`
 */
export async function updateRule(
  deps: AcceptanceDeps,
  caller: Caller,
  { rule_id, changes }: { rule_id: string; changes: RuleChange },
): Promise<Rule> {
  checkContent(changes, changes.decision);
  const of_project = scopeOf(caller);
  const request = { ...changes, rule_id, of_project, updated_by: actorOf(caller) };
  const { body } = await deps.request(messages.updateDecisionRule, request);
  checkContent(changes, body.decision);
  return named(deps, body);
}

/** @throws AppError `decision_rule_not_found` */
export async function deleteRule(
  deps: AcceptanceDeps,
  caller: Caller,
  rule_id: string,
): Promise<void> {
  await deps.request(messages.deleteDecisionRule, { rule_id, of_project: scopeOf(caller) });
}

async function named(deps: AcceptanceDeps, rule: messages.DecisionRuleView): Promise<Rule> {
  const [one] = await withNames(deps, [rule]);
  return one as Rule;
}

async function withNames(
  deps: AcceptanceDeps,
  rules: readonly messages.DecisionRuleView[],
): Promise<Rule[]> {
  const ofServices = rules.flatMap(({ filter }) => filter.service_ids ?? []);
  const names = await namesOf(deps, ofServices);
  const nameOf = (id: string) => names.get(id)?.service_name ?? null;
  const named = rules.map((rule) => ({
    ...rule,
    service_names: rule.filter.service_ids?.map(nameOf) ?? null,
  }));
  // The ecosystem of a filter, a text in messages, was one of the contract's when the rule was made.
  return named as Rule[];
}
