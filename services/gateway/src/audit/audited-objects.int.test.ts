import { eventually } from '@bomtrail/testkit';
import { acceptanceId, alertRuleId, missingId, projectId } from '../testing/fake-data';
import { ruleId } from '../testing/fake-decisions';
import { fakeServices } from '../testing/fake-services';
import { globalVexId, vexId } from '../testing/fake-vex';
import { startGateway, type TestGateway } from '../testing/start-gateway';
import type { AuditEntryView } from './list-audit';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway();
  fakeServices(gateway.bus);
});
afterAll(() => gateway?.stop());

/** The entry of a call, once it has its outcome. */
async function entryOf(response: Response): Promise<AuditEntryView> {
  await response.arrayBuffer();
  const requestId = response.headers.get('x-request-id');
  return eventually(
    async () => {
      const { items } = (await (await gateway.call('GET', '/api/v1/audit')).json()) as {
        items: AuditEntryView[];
      };
      const found = items.find((entry) => entry.request_id === requestId);
      if (!found || found.outcome === 'unknown') throw new Error('not yet');
      return found;
    },
    { what: 'the call has an entry with its outcome' },
  );
}

const decisions = '/api/v1/vulnerabilities/acceptances';
const headers = { 'content-type': 'application/json' };
const change = { headers, body: '{"reason":"Other."}' };
const disabled = { headers, body: '{"enabled":false}' };

/** What names its project neither in its address nor in its body. */
const calls: [method: string, path: string, resources: object, init?: RequestInit][] = [
  ['PATCH', `${decisions}/${acceptanceId}`, { acceptance_id: acceptanceId }, change],
  ['DELETE', `${decisions}/${acceptanceId}`, { acceptance_id: acceptanceId }],
  ['DELETE', `${decisions}/bulk/${acceptanceId}`, { bulk_id: acceptanceId }],
  ['PATCH', `/api/v1/decision-rules/${ruleId}`, { rule_id: ruleId }, change],
  ['DELETE', `/api/v1/decision-rules/${ruleId}`, { rule_id: ruleId }],
  ['PATCH', `/api/v1/alert-rules/${alertRuleId}`, { alert_id: alertRuleId }, disabled],
  ['POST', `/api/v1/alert-rules/${alertRuleId}/test`, { alert_id: alertRuleId }],
  ['DELETE', `/api/v1/alert-rules/${alertRuleId}`, { alert_id: alertRuleId }],
  ['DELETE', `/api/v1/vex/${vexId}`, { vex_id: vexId }],
];

test.each(calls)('%s %s is known as a change of its project', async (...call) => {
  const [method, path, resources, init] = call;
  const entry = await entryOf(await gateway.call(method, path, init));
  expect(entry).toMatchObject({ outcome: 'succeeded', project_id: projectId });
  expect(entry.resources).toEqual({ ...resources, project_id: projectId });
});

test('an imported VEX document is named, with its project', async () => {
  const body = new FormData();
  body.append('project_id', projectId);
  body.append('file', new Blob(['{}']), 'vex.json');
  const entry = await entryOf(await gateway.call('POST', '/api/v1/vex', { body }));
  expect(entry.resources).toEqual({ project_id: projectId, vex_id: vexId });
});

test('what applies to all projects, or does not exist, belongs to none', async () => {
  const deleted = await entryOf(await gateway.call('DELETE', `/api/v1/vex/${globalVexId}`));
  expect(deleted).toMatchObject({ outcome: 'succeeded', project_id: null });
  expect(deleted.resources).toEqual({ vex_id: globalVexId });
  for (const kind of ['decision-rules', 'alert-rules']) {
    const missing = await gateway.call('DELETE', `/api/v1/${kind}/${missingId}`);
    expect(await entryOf(missing)).toMatchObject({ outcome: 'refused', project_id: null });
  }
});
