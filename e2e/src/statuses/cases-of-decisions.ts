import { send, sendForJson } from '@bomtrail/api-client';
import { eventually } from '@bomtrail/testkit';
import { ruleAboutNothing, type Harness } from './harness';
import type { StatusCase } from './status-case';

const bulk = '/api/v1/vulnerabilities/acceptances/bulk';
const everywhere = '/api/v1/vulnerabilities/acceptances/global';

/** A bulk decision about nothing, in a project of its own. */
async function newBulk({ stack, newProject }: Harness): Promise<string> {
  const { id: project_id } = await newProject();
  const body = { project_id, filter: {}, reason: 'r' };
  return (await sendForJson<{ id: string }>(stack.target, { method: 'POST', path: bulk, body })).id;
}

/** Deletes the decisions for all projects. */
async function noGlobals({ stack: { target } }: Harness): Promise<void> {
  const { items } = await sendForJson<{ items: { id: string }[] }>(target, { path: everywhere });
  for (const { id } of items) await send(target, { method: 'DELETE', path: `${everywhere}/${id}` });
}

const triage = ({ vulnerabilityId }: Harness) => ({
  vulnerability_id: vulnerabilityId,
  decision: 'in_triage',
  reason: 'Under investigation everywhere.',
});

/** The only decision for all projects. */
async function newGlobal(harness: Harness): Promise<string> {
  await noGlobals(harness);
  const call = { method: 'POST', path: everywhere, body: triage(harness) } as const;
  return (await sendForJson<{ id: string }>(harness.stack.target, call)).id;
}

const bulkCases: StatusCase[] = [
  {
    operationId: 'decideInBulk',
    status: 201,
    when: 'a filter says what it is about',
    request: async ({ newProject }) => ({
      body: { project_id: (await newProject()).id, filter: { kev: true }, reason: 'r' },
    }),
  },
  {
    operationId: 'decideInBulk',
    status: 404,
    code: 'project_not_found',
    when: 'the project does not exist',
    request: ({ unknownId }) => ({ body: { project_id: unknownId, filter: {}, reason: 'r' } }),
  },
  {
    operationId: 'decideInBulk',
    status: 409,
    code: 'idempotency_key_reused',
    when: 'a call about something else had its key',
    request: async ({ stack: { target }, newProject }) => {
      const body = {
        project_id: (await newProject()).id,
        filter: {},
        reason: 'r',
        idempotency_key: 'k',
      };
      await sendForJson(target, { method: 'POST', path: bulk, body });
      await sendForJson(target, { method: 'POST', path: bulk, body });
      return { body: { ...body, filter: { kev: true } } };
    },
  },
  {
    operationId: 'decideInBulk',
    status: 422,
    when: 'a field of the filter is mistyped',
    request: ({ project }) => ({
      body: { project_id: project.id, filter: { serverity: ['low'] }, reason: 'r' },
    }),
  },
  {
    operationId: 'getBulkDecision',
    status: 200,
    when: 'it exists',
    request: async (harness) => ({ path: { bulk_id: await newBulk(harness) } }),
  },
  {
    operationId: 'getBulkDecision',
    status: 404,
    code: 'acceptance_not_found',
    when: 'it does not exist',
    request: ({ unknownId }) => ({ path: { bulk_id: unknownId } }),
  },
  {
    operationId: 'deleteBulkDecision',
    status: 204,
    when: 'it exists',
    request: async (harness) => ({ path: { bulk_id: await newBulk(harness) } }),
  },
  {
    operationId: 'deleteBulkDecision',
    status: 404,
    code: 'acceptance_not_found',
    when: 'it does not exist',
    request: ({ unknownId }) => ({ path: { bulk_id: unknownId } }),
  },
];

/** A standing rule that selects nothing, in a project of its own. */
async function newRule({ stack, newProject }: Harness, rest: object = {}): Promise<string> {
  const { id } = await newProject();
  const body = { ...ruleAboutNothing, ...rest };
  const path = `/api/v1/projects/${id}/decision-rules`;
  return (await sendForJson<{ id: string }>(stack.target, { method: 'POST', path, body })).id;
}

async function expiredRule(harness: Harness): Promise<string> {
  const expires_at = new Date(Date.now() + 1_000).toISOString();
  const rule_id = await newRule(harness, { expires_at });
  await eventually(
    async () => {
      const path = `/api/v1/decision-rules/${rule_id}`;
      const { status } = await sendForJson<{ status: string }>(harness.stack.target, { path });
      return status === 'expired';
    },
    { what: 'the rule has expired' },
  );
  return rule_id;
}

const ruleCases: StatusCase[] = [
  { operationId: 'listDecisionRules', status: 200, when: 'a page of them' },
  {
    operationId: 'listDecisionRules',
    status: 404,
    code: 'project_not_found',
    when: 'the project does not exist',
    request: ({ unknownId }) => ({ path: { project_id: unknownId } }),
  },
  {
    operationId: 'createDecisionRule',
    status: 201,
    when: 'it says what it selects and decides',
    request: async ({ newProject }) => ({
      path: { project_id: (await newProject()).id },
      body: ruleAboutNothing,
    }),
  },
  {
    operationId: 'createDecisionRule',
    status: 404,
    code: 'service_not_found',
    when: 'a service of its filter does not exist',
    request: ({ unknownId }) => ({
      body: { ...ruleAboutNothing, filter: { service_ids: [unknownId] } },
    }),
  },
  {
    operationId: 'createDecisionRule',
    status: 409,
    code: 'too_many_decision_rules',
    when: 'the project has 100',
    request: async ({ stack: { target }, newProject }) => {
      const { id: project_id } = await newProject();
      const path = `/api/v1/projects/${project_id}/decision-rules`;
      for (let rule = 0; rule < 100; rule += 1)
        await sendForJson(target, { method: 'POST', path, body: ruleAboutNothing });
      return { path: { project_id }, body: ruleAboutNothing };
    },
  },
  {
    operationId: 'createDecisionRule',
    status: 422,
    when: 'the filter has a field of a risk feed',
    request: () => ({ body: { ...ruleAboutNothing, filter: { kev: true } } }),
  },
  { operationId: 'getDecisionRule', status: 200, when: 'it exists' },
  {
    operationId: 'getDecisionRule',
    status: 404,
    code: 'decision_rule_not_found',
    when: 'it does not exist',
    request: ({ unknownId }) => ({ path: { rule_id: unknownId } }),
  },
  {
    operationId: 'updateDecisionRule',
    status: 200,
    when: 'it gets another reason',
    request: async (harness) => ({
      path: { rule_id: await newRule(harness) },
      body: { reason: 'Another one.' },
    }),
  },
  {
    operationId: 'updateDecisionRule',
    status: 404,
    code: 'decision_rule_not_found',
    when: 'it does not exist',
    request: ({ unknownId }) => ({ path: { rule_id: unknownId }, body: { name: 'n' } }),
  },
  {
    operationId: 'updateDecisionRule',
    status: 409,
    code: 'acceptance_expired',
    when: 'it has expired',
    request: async (harness) => ({
      path: { rule_id: await expiredRule(harness) },
      body: { name: 'n' },
    }),
  },
  {
    operationId: 'updateDecisionRule',
    status: 422,
    when: 'it gets a justification that its kind cannot have',
    request: async (harness) => ({
      path: { rule_id: await newRule(harness) },
      body: { justification: 'component_not_present' },
    }),
  },
  {
    operationId: 'updateDecisionRule',
    status: 422,
    when: 'the name is empty',
    request: () => ({ body: { name: ' ' } }),
  },
  {
    operationId: 'deleteDecisionRule',
    status: 204,
    when: 'it exists',
    request: async (harness) => ({ path: { rule_id: await newRule(harness) } }),
  },
  {
    operationId: 'deleteDecisionRule',
    status: 404,
    code: 'decision_rule_not_found',
    when: 'it does not exist',
    request: ({ unknownId }) => ({ path: { rule_id: unknownId } }),
  },
];

/** Decisions about many vulnerabilities, for all projects, and standing ones. */
export const decisionCases: StatusCase[] = [
  ...bulkCases,
  ...ruleCases,
  { operationId: 'listGlobalAcceptances', status: 200, when: 'a page of them' },
  {
    operationId: 'listGlobalAcceptances',
    status: 422,
    when: 'the page is no number',
    request: () => ({ query: { page: 'one' } }),
  },
  {
    operationId: 'createGlobalAcceptance',
    status: 201,
    when: 'there is none about the vulnerability',
    request: async (harness) => {
      await noGlobals(harness);
      return { body: triage(harness) };
    },
  },
  {
    operationId: 'createGlobalAcceptance',
    status: 404,
    code: 'vulnerability_not_found',
    when: 'the vulnerability does not exist',
    request: ({ unknownId }) => ({ body: { vulnerability_id: unknownId, reason: 'r' } }),
  },
  {
    operationId: 'createGlobalAcceptance',
    status: 409,
    code: 'acceptance_exists',
    when: 'there is one about the vulnerability',
    request: async (harness) => {
      await newGlobal(harness);
      return { body: triage(harness) };
    },
  },
  {
    operationId: 'createGlobalAcceptance',
    status: 422,
    when: 'the reason is empty',
    request: (harness) => ({ body: { ...triage(harness), reason: '' } }),
  },
  {
    operationId: 'deleteGlobalAcceptance',
    status: 204,
    when: 'it exists',
    request: async (harness) => ({ path: { acceptance_id: await newGlobal(harness) } }),
  },
  {
    operationId: 'deleteGlobalAcceptance',
    status: 404,
    code: 'acceptance_not_found',
    when: 'it does not exist',
    request: ({ unknownId }) => ({ path: { acceptance_id: unknownId } }),
  },
];
