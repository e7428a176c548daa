import { setTimeout as sleep } from 'node:timers/promises';
import {
  AppError,
  checkScope,
  isInScope,
  pageWindow,
  type createDecisionRule,
  type DecisionRuleView,
  type PageOf,
  type ProjectScope,
  type RequestOf,
  type updateDecisionRule,
} from '@bomtrail/messages';
import type { Request } from '@bomtrail/messaging';
import type { AcceptanceDocument } from '../tracking/store/documents';
import { contentView } from './acceptance-view';
import { applyAcceptance, type ApplyAcceptanceDeps } from './apply-acceptance';
import { newDecision } from './create-acceptance';
import { noVulnerability } from './domain/slots';
import { servicesOwned } from './owned-rules';
import type { LapseExpiredDeps } from './lapse-expired';
import type { RuleStore } from './ports';
import { changeDecision } from './update-acceptance';

/** How long a caller waits until all lists reflect a change. */
const waitMs = 20_000;

export type DecisionRulesDeps = ApplyAcceptanceDeps &
  LapseExpiredDeps & { request: Request; rules: RuleStore };

interface Named {
  rule_id: string;
  of_project: ProjectScope | null;
}

const errorCodes = {
  no_project: 'project_not_found',
  no_service: 'service_not_found',
  too_many: 'too_many_decision_rules',
} as const;

/**
 * Stores a standing rule (DC8): from then on every change of a service applies it. The caller waits some seconds for the
 * services that exist; the rest of the work goes on, and a sweep completes it if the process ends.
 *
 * @throws AppError `project_not_found`, `service_not_found`, `too_many_decision_rules`
 */
export async function createRule(
  deps: DecisionRulesDeps,
  input: RequestOf<typeof createDecisionRule>,
): Promise<DecisionRuleView> {
  const { project_id, name, filter, ...content } = input;
  const { service_ids: named, ...selects } = filter;
  const checks = (named ? [...new Set(named)] : [null]).map((service_id) =>
    deps.request(checkScope, { project_id, service_id }),
  );
  await Promise.all(checks);
  const isOwned = filter.owner !== undefined || filter.label !== undefined;
  const services = isOwned
    ? await servicesOwned(deps.request, { project_id, filter })
    : named && [...new Set(named)];
  const given = {
    ...content,
    project_id,
    services: services ?? null,
    vulnerability_id: noVulnerability,
  };
  const { slots: _none, ...decision } = newDecision({ ...given, identity: [] });
  const rule: AcceptanceDocument = {
    ...decision,
    source: 'rule',
    // Those of a rule by owner follow the catalog, so what was asked for is stored, too.
    rule: { name, filter: isOwned ? filter : selects },
    ...(isOwned && { owned: true }),
  };
  const outcome = await deps.rules.insert(rule);
  if (outcome !== 'done') throw new AppError(errorCodes[outcome]);
  return applied(deps, rule);
}

/** One page of the rules of a project, newest first. */
export async function listRules(
  { acceptances, rules }: Pick<DecisionRulesDeps, 'acceptances' | 'rules'>,
  { project_id, ...page }: { project_id: string; page: number; per_page: number },
): Promise<PageOf<DecisionRuleView>> {
  const { items, total } = await acceptances.list({ project_id, source: 'rule' }, pageWindow(page));
  const decided = await rules.decided(items.map(({ _id }) => _id));
  return { items: items.map((one) => viewOf(one, decided.get(one._id))), total };
}

/** @throws AppError `decision_rule_not_found` */
export async function readRule(
  deps: Pick<DecisionRulesDeps, 'acceptances' | 'rules'>,
  named: Named,
): Promise<DecisionRuleView> {
  const rule = await existing(deps, named);
  return viewOf(rule, (await deps.rules.decided([rule._id])).get(rule._id));
}

/**
 * Changes what a rule decides; what it selects stays. Waits as `createRule` does. As `updateAcceptance`, it does not make
 * a change whose justification the decision cannot have.
 *
 * @throws AppError `decision_rule_not_found`, `acceptance_expired`, `acceptance_changed_too_often`
 */
export async function updateRule(
  deps: DecisionRulesDeps,
  input: RequestOf<typeof updateDecisionRule>,
): Promise<DecisionRuleView> {
  const { rule_id, of_project, ...content } = input;
  const named = { rule_id, of_project };
  const changed = await changeDecision(deps, () => existing(deps, named), content);
  return changed ? applied(deps, changed) : readRule(deps, named);
}

/**
 * Deletes a rule: nothing is decided by it from now on. Waits as `createRule` does.
 *
 * @throws AppError `decision_rule_not_found`
 */
export async function deleteRule(deps: DecisionRulesDeps, named: Named): Promise<void> {
  const rule = await existing(deps, named);
  if (!(await deps.acceptances.revoke(rule))) throw new AppError('decision_rule_not_found');
  // As it was when it ended: the services of a rule by owner may have moved since it was read.
  const revoked = (await deps.acceptances.byId(rule._id)) ?? rule;
  await someTime(applyAcceptance(deps, { ...revoked, pending: 'revert' }));
}

async function applied(
  deps: DecisionRulesDeps,
  rule: AcceptanceDocument,
): Promise<DecisionRuleView> {
  await someTime(applyAcceptance(deps, rule));
  return readRule(deps, { rule_id: rule._id, of_project: rule.project_id });
}

/** Waits for work that a sweep completes if it fails or takes longer. */
async function someTime(work: Promise<void>): Promise<void> {
  const attempt = work.catch(() => undefined);
  await Promise.race([attempt, sleep(waitMs, undefined, { ref: false })]);
}

async function existing(
  { acceptances }: Pick<DecisionRulesDeps, 'acceptances'>,
  { rule_id, of_project }: Named,
): Promise<AcceptanceDocument> {
  const found = await acceptances.byId(rule_id);
  const isThere = found?.rule && found.pending !== 'revert';
  if (!isThere || !isInScope(of_project, found.project_id))
    throw new AppError('decision_rule_not_found');
  return found;
}

function viewOf(stored: AcceptanceDocument, decided = 0): DecisionRuleView {
  const { services, rule, owned, pending, lapsed } = stored;
  return {
    ...contentView(stored),
    project_id: stored.project_id,
    name: rule?.name ?? '',
    filter: { ...(services && !owned && { service_ids: services }), ...rule?.filter },
    status: lapsed ? 'expired' : pending === null ? 'active' : 'applying',
    decided,
  };
}
