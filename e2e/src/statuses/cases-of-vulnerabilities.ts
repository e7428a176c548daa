import { send, waitForScan } from '@bomtrail/api-client';
import { eventually } from '@bomtrail/testkit';
import type { StatusCase } from './status-case';
import { decisionCases } from './cases-of-decisions';
import type { Harness } from './harness';
import { vexDocument } from './vex-document';

const scanMs = 30_000;

/** The body of an acceptance in the world's project, with these fields changed. */
function acceptance(changes: (harness: Harness) => object = () => ({})) {
  return (harness: Harness) => ({
    body: {
      project_id: harness.project.id,
      vulnerability_id: harness.vulnerabilityId,
      reason: 'Not reachable.',
      ...changes(harness),
    },
  });
}

/** An acceptance of its own, in a project of its own. */
async function newAcceptance({ stack: { client }, newProject, newSbom }: Harness): Promise<{
  id: string;
  body: { project_id: string; vulnerability_id: string; reason: string };
}> {
  const { id: project_id } = await newProject();
  const { id } = await newSbom(project_id);
  const found = await scanned(client, id);
  const body = { project_id, vulnerability_id: found, reason: 'Not reachable.' };
  return { id: (await client.accept(body)).id, body };
}

async function scanned(client: Harness['stack']['client'], sbomId: string): Promise<string> {
  const { vulnerabilities } = await waitForScan(client, sbomId, scanMs);
  const [first] = vulnerabilities;
  if (!first) throw new Error(`SBOM ${sbomId} has no vulnerability.`);
  return first.id;
}

const listCases: StatusCase[] = [
  { operationId: 'listActiveVulnerabilities', status: 200, when: 'a page of what is open' },
  {
    operationId: 'listActiveVulnerabilities',
    status: 422,
    when: 'it is to be sorted by what is no field',
    request: () => ({ query: { sort: 'colour' } }),
  },
  {
    operationId: 'listActiveVulnerabilities',
    status: 422,
    when: 'a severity is none',
    request: () => ({ query: { severity: 'high,severe' } }),
  },
  {
    operationId: 'listVulnerabilities',
    status: 200,
    when: 'a page of what is open or accepted',
    request: () => ({ query: { status: 'open,accepted' } }),
  },
  {
    operationId: 'listVulnerabilities',
    status: 422,
    when: 'a state is none',
    request: () => ({ query: { status: 'open,vanished' } }),
  },
  { operationId: 'getVulnerability', status: 200, when: 'it exists' },
  {
    operationId: 'getVulnerability',
    status: 304,
    when: 'the client has it as it is',
    request: async ({ stack, vulnerabilityId }) => {
      const path = `/api/v1/vulnerabilities/${vulnerabilityId}`;
      const response = await send(stack.target, { path });
      await response.text();
      return { headers: { 'if-none-match': response.headers.get('etag') ?? '' } };
    },
  },
  {
    operationId: 'getVulnerability',
    status: 404,
    code: 'vulnerability_not_found',
    when: 'it does not exist',
    request: ({ unknownId }) => ({ path: { vulnerability_id: unknownId } }),
  },
  { operationId: 'getVulnerabilitySummary', status: 200, when: 'the counts' },
  {
    operationId: 'getVulnerabilitySummary',
    status: 422,
    when: 'a filter is no UUID',
    request: () => ({ query: { project_id: 'no-uuid' } }),
  },
  {
    operationId: 'groupVulnerabilities',
    status: 200,
    when: 'the groups of a project',
    request: () => ({ query: { group_by: 'service', kev: 'false' } }),
  },
  {
    operationId: 'groupVulnerabilities',
    status: 422,
    when: 'it is not said what to group by',
  },
  { operationId: 'listAcceptances', status: 200, when: 'a page of acceptances' },
  {
    operationId: 'listAcceptances',
    status: 422,
    when: 'the page is no number',
    request: () => ({ query: { page: 'one' } }),
  },
];

export const vulnerabilityCases: StatusCase[] = [
  ...listCases,
  {
    operationId: 'createAcceptance',
    status: 201,
    when: 'the project accepts a vulnerability that it has',
    request: acceptance(),
  },
  {
    operationId: 'createAcceptance',
    status: 404,
    code: 'project_not_found',
    when: 'the project does not exist',
    request: acceptance(({ unknownId }) => ({ project_id: unknownId })),
  },
  {
    operationId: 'createAcceptance',
    status: 404,
    code: 'service_not_found',
    when: 'the service does not exist',
    request: acceptance(({ unknownId }) => ({ service_id: unknownId })),
  },
  {
    operationId: 'createAcceptance',
    status: 404,
    code: 'vulnerability_not_found',
    when: 'the vulnerability does not exist',
    request: acceptance(({ unknownId }) => ({ vulnerability_id: unknownId })),
  },
  {
    operationId: 'createAcceptance',
    status: 409,
    code: 'acceptance_exists',
    when: 'the same scope has accepted it already',
    request: async (harness) => ({ body: (await newAcceptance(harness)).body }),
  },
  {
    operationId: 'createAcceptance',
    status: 422,
    when: 'the reason is empty',
    request: acceptance(() => ({ reason: '' })),
  },
  ...decisionCases,
  {
    operationId: 'updateAcceptance',
    status: 200,
    when: 'it exists',
    request: async (harness) => ({
      path: { acceptance_id: (await newAcceptance(harness)).id },
      body: { decision: 'not_affected', justification: 'component_not_present' },
    }),
  },
  {
    operationId: 'updateAcceptance',
    status: 404,
    code: 'acceptance_not_found',
    when: 'it does not exist',
    request: ({ unknownId }) => ({
      path: { acceptance_id: unknownId },
      body: { decision: 'in_triage' },
    }),
  },
  {
    operationId: 'updateAcceptance',
    status: 409,
    code: 'acceptance_expired',
    when: 'it has expired',
    request: async (harness) => {
      const { id, body } = await newAcceptance(harness);
      const { client } = harness.stack;
      await client.revokeAcceptance(id);
      const expires_at = new Date(Date.now() + 2_000).toISOString();
      const { id: acceptance_id } = await client.accept({ ...body, expires_at });
      await eventually(
        async () => {
          const active = await client.allActive({ project_id: body.project_id });
          return active.some((one) => one.id === body.vulnerability_id);
        },
        { what: 'the decision expires' },
      );
      return { path: { acceptance_id }, body: { reason: 'Later.' } };
    },
  },
  {
    operationId: 'updateAcceptance',
    status: 422,
    when: 'it gets a justification that its kind cannot have',
    request: async (harness) => ({
      path: { acceptance_id: (await newAcceptance(harness)).id },
      body: { justification: 'component_not_present' },
    }),
  },
  {
    operationId: 'updateAcceptance',
    status: 422,
    when: 'the kind is unknown',
    request: ({ unknownId }) => ({
      path: { acceptance_id: unknownId },
      body: { decision: 'fixed' },
    }),
  },
  {
    operationId: 'deleteAcceptance',
    status: 204,
    when: 'it exists',
    request: async (harness) => ({ path: { acceptance_id: (await newAcceptance(harness)).id } }),
  },
  {
    operationId: 'deleteAcceptance',
    status: 404,
    code: 'acceptance_not_found',
    when: 'it does not exist',
    request: ({ unknownId }) => ({ path: { acceptance_id: unknownId } }),
  },
  {
    operationId: 'deleteAcceptance',
    status: 409,
    code: 'acceptance_from_document',
    when: 'a VEX document made it',
    request: async ({ stack: { client }, newProject, newSbom }) => {
      const { id: project_id } = await newProject();
      await waitForScan(client, (await newSbom(project_id)).id, scanMs);
      const about = { vulnerability: 'CVE-2021-23337', product: 'pkg:npm/lodash' };
      await client.importVex(vexDocument('decides', 1, about), project_id);
      const [made] = (await client.listAcceptances(project_id)).items;
      return { path: { acceptance_id: made?.id ?? '' } };
    },
  },
];
