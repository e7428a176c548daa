import {
  createAcceptance,
  createDecisionRule,
  deleteAcceptance,
  deleteDecisionRule,
  deleteServiceData,
  listAcceptances,
  listActive,
  listDecisionRules,
  readDecisionRule,
  readVulnerability,
  updateDecisionRule,
  type DecisionRuleView,
  type RuleFilter,
} from '@bomtrail/messages';
import { eventually } from '@bomtrail/testkit';
import type { AcceptanceDocument } from '../tracking/store/documents';
import { TestService } from '../testing/service';
import { startReconciler, type TestReconciler } from '../testing/start-reconciler';

let harness: TestReconciler;

beforeAll(async () => {
  harness = await startReconciler({ processes: 2, sweepRate: 8 });
});
afterAll(() => harness?.stop());

const mock = 'jest-mock@1.0.0 GHSA-1 CVE-1';
const lodash = 'lodash@1.0.0 GHSA-2 CVE-2';
const open = { 'jest-mock GHSA-1': 'open', 'lodash GHSA-2': 'open' };
const testOnly = { ...open, 'jest-mock GHSA-1': 'not_affected' };

async function newService(projectId?: string): Promise<TestService> {
  const service = new TestService(harness, projectId);
  await service.scanned(harness.newSet(mock, lodash));
  return service;
}

async function newRule(
  { project_id }: TestService,
  filter: RuleFilter = { package_name: 'JEST*' },
  rest: Partial<Pick<DecisionRuleView, 'decision' | 'expires_at'>> = {},
): Promise<DecisionRuleView> {
  const said = { name: 'Tests', decision: 'not_affected' as const, reason: 'Test only.', ...rest };
  return (await harness.bus.request(createDecisionRule, { project_id, filter, ...said })).body;
}

const read = async (rule: DecisionRuleView): Promise<DecisionRuleView> =>
  (await harness.bus.request(readDecisionRule, { rule_id: rule.id, of_project: null })).body;

const remove = (rule: DecisionRuleView, of_project: string | null = null) =>
  harness.bus.request(deleteDecisionRule, { rule_id: rule.id, of_project });

test('DC8: a rule decides what its filter selects, now and in what comes later, in its project only', async () => {
  const service = await newService();
  const foreign = await newService();
  const rule = await newRule(service);
  expect(rule).toMatchObject({ decided: 1, status: 'active', filter: { package_name: 'JEST*' } });
  expect(await service.states()).toEqual(testOnly);
  expect(await foreign.states()).toEqual(open);

  const later = await newService(service.project_id);
  expect(await later.states()).toEqual(testOnly);
  const [row] = await later.documents();
  expect(row?.decided).toEqual({ id: rule.id, decision: 'not_affected', source: 'rule' });
  expect(row?.alert_periods ?? {}).toEqual({});
  await later.scanned(harness.newSet('jest-mock@2.0.0 GHSA-9 CVE-9', lodash));
  expect(await later.states()).toMatchObject({ 'jest-mock GHSA-9': 'not_affected' });
  expect(await read(rule)).toMatchObject({ decided: 2 });

  const query = { vulnerability_id: row?._id ?? '', of_project: null };
  const { body } = await harness.bus.request(readVulnerability, query);
  expect(body.acceptances).toMatchObject([{ id: rule.id, source: 'rule', rule_name: 'Tests' }]);
  const page = { page: 1, per_page: 50, project_id: service.project_id };
  expect((await harness.bus.request(listAcceptances, page)).body.items).toEqual([]);
  expect((await harness.bus.request(listDecisionRules, page)).body).toMatchObject({
    total: 1,
    items: [{ id: rule.id, decided: 2 }],
  });
});

test.each<RuleFilter>([
  {},
  { package_name: 'JEST-*' },
  { package_name: 'lodash' },
  { package_name: 'ash*' },
  { purl: 'pkg:npm/lodash@1.0.0' },
  { purl: 'pkg:npm/lodash@2.0.0' },
  { cve_id: 'cve-2', severity: ['high'] },
  { severity: ['low'] },
  { ecosystem: 'npm', is_direct: false },
  { has_fix: true },
  { has_fix: false, is_direct: false },
])('what the rule %j decides is what the active list with its filter had', async (filter) => {
  const service = await newService();
  const { project_id } = service;
  const query = { project_id, page: 1, per_page: 50, sort: 'package_name', order: 'asc' } as const;
  const preview = { ...query, ...filter, decision: ['none' as const] };
  const { body } = await harness.bus.request(listActive, preview);
  expect(await newRule(service, filter)).toMatchObject({ decided: body.total });
  const left = await service.activeList();
  const before = new Set(body.items.map(({ id }) => id));
  expect(left.filter(({ id }) => before.has(id))).toEqual([]);
  expect(left).toHaveLength(2 - body.total);
});

test('a rule that is deleted leaves everything as if it had never been', async () => {
  const service = await newService();
  const rule = await newRule(service, { cve_id: 'cve-1' });
  expect(await service.states()).toEqual(testOnly);
  const notFound = { code: 'decision_rule_not_found' };
  await expect(remove(rule, (await newService()).project_id)).rejects.toMatchObject(notFound);
  await remove(rule);
  expect(await service.states()).toEqual(open);
  await expect(remove(rule)).rejects.toMatchObject(notFound);
  await expect(read(rule)).rejects.toMatchObject(notFound);
});

test('a rule that expires opens what it decided, and stays listed', async () => {
  const service = await newService();
  const expires_at = new Date(Date.now() + 2_000).toISOString();
  const rule = await newRule(service, {}, { expires_at });
  expect(await service.states()).not.toEqual(open);
  await eventually(async () => expect(await service.states()).toEqual(open), {
    what: 'the rule has expired',
  });
  expect(await read(rule)).toMatchObject({ status: 'expired', decided: 0 });
  const change = { rule_id: rule.id, of_project: null, reason: 'Again.' };
  await expect(harness.bus.request(updateDecisionRule, change)).rejects.toMatchObject({
    code: 'acceptance_expired',
  });
});

test('a change of a rule changes what it decided; the filter stays', async () => {
  const service = await newService();
  const rule = await newRule(service, { package_name: 'jest-mock', is_direct: false });
  const change = { rule_id: rule.id, of_project: null, decision: 'risk_accepted' as const };
  const changed = await harness.bus.request(updateDecisionRule, { ...change, name: 'Other' });
  expect(changed.body).toMatchObject({ name: 'Other', filter: rule.filter, justification: null });
  expect(await service.states()).toMatchObject({ 'jest-mock GHSA-1': 'accepted' });
});

test('DC3: a change whose justification the rule cannot have is not made', async () => {
  const service = await newService();
  const rule = await newRule(service, { cve_id: 'cve-1' }, { decision: 'risk_accepted' });
  const justification = 'component_not_present' as const;
  const change = { rule_id: rule.id, of_project: null, justification, name: 'Other' };
  expect((await harness.bus.request(updateDecisionRule, change)).body).toEqual(rule);
  expect(await read(rule)).toEqual(rule);
});

test('DC2: a person’s decision wins over a rule, a rule for services over one for the project', async () => {
  const service = await newService();
  const other = await newService(service.project_id);
  await newRule(service, {}, { decision: 'risk_accepted' });
  await newRule(service, { service_ids: [other.service_id] });
  expect(new Set(Object.values(await service.states()))).toEqual(new Set(['accepted']));
  expect(new Set(Object.values(await other.states()))).toEqual(new Set(['not_affected']));
  const [row] = await service.documents();
  const { body: decision } = await harness.bus.request(createAcceptance, {
    project_id: service.project_id,
    service_id: null,
    vulnerability_id: row?._id ?? '',
    reason: 'We use it.',
    decision: 'in_triage',
  });
  expect(Object.values(await service.states()).sort()).toEqual(['accepted', 'open']);
  await harness.bus.request(deleteAcceptance, { acceptance_id: decision.id });
  expect(new Set(Object.values(await service.states()))).toEqual(new Set(['accepted']));
});

test('DC10: what several decisions of different kinds apply to is contradicted, until they agree', async () => {
  const service = await newService();
  const contradicted = async () => {
    const rows = await service.documents();
    return rows.map(({ decided }) => [decided?.decision, decided?.contradicted ?? false]);
  };
  const rule = await newRule(service, { package_name: 'jest*' });
  await newRule(service, { package_name: 'lodash' });
  expect(await contradicted()).toEqual([
    ['not_affected', false],
    ['not_affected', false],
  ]);
  const [row] = await service.documents();
  const { body: decision } = await harness.bus.request(createAcceptance, {
    project_id: service.project_id,
    service_id: null,
    vulnerability_id: row?._id ?? '',
    reason: 'We use it.',
    decision: 'in_triage',
  });
  expect(await contradicted()).toEqual([
    ['in_triage', true],
    ['not_affected', false],
  ]);
  const listed = (await service.activeList()).map((one) => one.decision);
  expect(listed).toMatchObject([{ decision: 'in_triage', contradicted: true }]);
  const query = { vulnerability_id: row?._id ?? '', of_project: null };
  const { body } = await harness.bus.request(readVulnerability, query);
  expect(body.decision).toMatchObject({ acceptance_id: decision.id, contradicted: true });
  expect(body.acceptances).toHaveLength(2);
  const agreed = { decision: 'in_triage' as const, rule_id: rule.id, of_project: null };
  await harness.bus.request(updateDecisionRule, agreed);
  expect((await contradicted())[0]).toEqual(['in_triage', false]);
});

test('a rule whose process ended before it was applied is applied by the next one', async () => {
  const service = await newService();
  const rule = await newRule(service);
  await harness.db
    .collection('tracked_vulnerabilities')
    .updateMany(
      { service_id: service.service_id },
      { $set: { status: 'open' }, $unset: { decided: 1 } },
    );
  const acceptances = harness.db.collection<AcceptanceDocument>('acceptances');
  const longAgo = new Date(Date.now() - 60_000);
  await acceptances.updateOne(
    { _id: rule.id },
    { $set: { pending: 'apply', updated_at: longAgo } },
  );
  await eventually(async () => expect(await service.states()).toEqual(testOnly), {
    what: 'the rule is applied',
    within: 30_000,
  });
});

test('DC9: a rule by owner decides in the services of that owner, from the first SBOM of a new one on', async () => {
  const ours = await newService();
  const theirs = await newService(ours.project_id);
  harness.owners.set(ours.service_id, 'Checkout');
  const rule = await newRule(ours, { owner: 'Checkout', package_name: 'jest*' });
  expect(rule).toMatchObject({
    decided: 1,
    filter: { owner: 'Checkout', package_name: 'jest*' },
  });
  expect(rule.filter).not.toHaveProperty('service_ids');
  expect(await ours.states()).toEqual(testOnly);
  expect(await theirs.states()).toEqual(open);

  const added = new TestService(harness, ours.project_id);
  harness.owners.set(added.service_id, 'Checkout');
  await added.scanned(harness.newSet(mock, lodash));
  expect(await added.states()).toEqual(testOnly);
  const [row] = await added.documents();
  expect(row?.alert_periods ?? {}).toEqual({});
});

test('DC9: a rule by owner follows a service that changes its owner, and deletes nothing with its last service', async () => {
  const [one, two] = [await newService(), await newService()];
  const other = await newService(one.project_id);
  harness.owners.set(one.service_id, 'Payments');
  const rule = await newRule(one, { owner: 'Payments' });
  await newRule(two, { owner: 'Payments' });
  harness.owners.delete(one.service_id);
  harness.owners.set(other.service_id, 'Payments');
  await eventually(
    async () => {
      expect(await one.states()).toEqual(open);
      expect(new Set(Object.values(await other.states()))).toEqual(new Set(['not_affected']));
      expect(await read(rule)).toMatchObject({ status: 'active', decided: 2 });
    },
    { what: 'the rule has moved', within: 60_000 },
  );
  expect(await two.states()).toEqual(open);
  const { service_id, project_id } = other;
  await harness.bus.request(deleteServiceData, { service_id, project_id });
  await eventually(
    async () => expect(await read(rule)).toMatchObject({ status: 'active', decided: 0 }),
    { what: 'the rule stays, without a service' },
  );
  await remove(rule);
  await expect(read(rule)).rejects.toMatchObject({ code: 'decision_rule_not_found' });
});
