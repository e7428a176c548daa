import * as messages from '@bomtrail/messages';
import { acceptance, acceptanceId, brief, instant, projectId, vulnerabilityId } from './fake-data';
import { expectThe, type Fake } from './fake';

const bulkDecision: messages.BulkDecisionView = {
  id: acceptanceId,
  project_id: projectId,
  status: 'done',
  decided: 1,
  not_found: 0,
  created_at: instant,
};

export const ruleId = '0197c1d0-3c2b-7a19-8e7f-0a1b2c3d4e70';

const rule: messages.DecisionRuleView = {
  id: ruleId,
  project_id: projectId,
  name: 'Test tools',
  filter: { package_name: 'jest*' },
  decision: 'not_affected',
  reason: 'Not shipped.',
  justification: null,
  detail: null,
  ticket_url: null,
  assignee: null,
  status: 'active',
  decided: 1,
  created_by: null,
  updated_by: null,
  expires_at: null,
  created_at: instant,
  updated_at: instant,
};

/** Plays the one standing rule; with `decidedServices` one for each. */
function fakeRules(play: Fake, decidedServices: readonly string[][]): void {
  const expectRule = (named: { rule_id: string; of_project: messages.ProjectScope | null }): void =>
    expectThe(
      named.rule_id === ruleId && messages.isInScope(named.of_project, projectId),
      'decision_rule_not_found',
    );
  play(messages.listDecisionRules, () => {
    const items = decidedServices.map((service_ids) => ({
      ...rule,
      filter: { ...rule.filter, service_ids },
    }));
    return items.length > 0 ? { items, total: items.length } : { items: [rule], total: 1 };
  });
  play(messages.createDecisionRule, ({ created_by = null, ...body }) => {
    expectThe(body.project_id === projectId, 'project_not_found');
    return { ...rule, ...body, created_by };
  });
  play(messages.readDecisionRule, (named) => {
    expectRule(named);
    return rule;
  });
  play(messages.updateDecisionRule, ({ rule_id, of_project, updated_by = null, ...changes }) => {
    expectRule({ rule_id, of_project });
    return { ...rule, ...changes, updated_by };
  });
  play(messages.deleteDecisionRule, (named) => {
    expectRule(named);
    return { deleted: true };
  });
}

/** Plays decisions: one acceptance, or one for each of `decidedServices`, and one decision about many vulnerabilities. */
export function fakeDecisions(play: Fake, decidedServices: readonly string[][]): void {
  fakeRules(play, decidedServices);
  play(messages.listAcceptances, () => {
    const { cve_id, package_name } = brief;
    const one = { ...acceptance, cve_id, package_name };
    const items = decidedServices.map((service_ids) => ({ ...one, service_ids }));
    return items.length > 0 ? { items, total: items.length } : { items: [one], total: 1 };
  });
  play(messages.createAcceptance, (body) => {
    expectThe(body.vulnerability_id === vulnerabilityId, 'vulnerability_not_found');
    const { created_by = null, service_ids = null } = body;
    return { ...acceptance, ...body, created_by, service_ids };
  });
  play(messages.createGlobalAcceptance, (body) => {
    expectThe(body.vulnerability_id === vulnerabilityId, 'vulnerability_not_found');
    const { created_by = null } = body;
    return { ...acceptance, ...body, created_by };
  });
  const expectBulk = (named: { bulk_id: string; of_project: messages.ProjectScope | null }): void =>
    expectThe(
      named.bulk_id === bulkDecision.id && messages.isInScope(named.of_project, projectId),
      'acceptance_not_found',
    );
  play(messages.decideInBulk, ({ project_id }) => {
    expectThe(project_id === projectId, 'project_not_found');
    return bulkDecision;
  });
  play(messages.readBulkDecision, (named) => {
    expectBulk(named);
    return bulkDecision;
  });
  play(messages.deleteBulkDecision, (named) => {
    expectBulk(named);
    return { deleted: true };
  });
  play(
    messages.updateAcceptance,
    ({ acceptance_id, of_project, updated_by = null, ...changes }) => {
      const visible = messages.isInScope(of_project, projectId);
      expectThe(acceptance_id === acceptanceId && visible, 'acceptance_not_found');
      return { ...acceptance, ...changes, updated_by };
    },
  );
  play(messages.deleteAcceptance, ({ acceptance_id, of_project }) => {
    const visible = messages.isInScope(of_project, projectId);
    expectThe(acceptance_id === acceptanceId && visible, 'acceptance_not_found');
    return { deleted: true, project_id: projectId };
  });
}
