import { randomUUID } from 'node:crypto';
import { send, sendForJson, waitForScan, type UploadResult } from '@bomtrail/api-client';
import type { components } from '@bomtrail/api-contract';
import { npmDocument } from '../support/examples';
import type { TokenIssuer } from '../support/token-issuer';
import { vexDocument } from './vex-document';
import { layDeadLetter } from '../support/bus/lay-dead-letter';
import type { TestStack } from '../support/test-stack';

type Schemas = components['schemas'];
const scanMs = 30_000;

/** A standing rule that selects nothing. */
export const ruleAboutNothing = {
  name: 'Nothing',
  filter: { package_name: 'no-such-package' },
  decision: 'risk_accepted',
  reason: 'r',
} as const;

/** What an import brought to a service of a project. */
export function importedService(project_id: string): Schemas['ImportedServiceReport'] {
  const counts = { versions: 1, uploaded: 1, findings_there: 1, findings_here: 1 };
  const left = { refused_total: 0, refused: [], unmatched_total: 0, unmatched: [] };
  return { project_id, service: 'web', ...counts, analyses: 0, decided: 0, ...left };
}

/** A stack with one of everything, and what makes more of it. */
export interface Harness {
  stack: TestStack;
  /** By the name of the path parameter that takes it. */
  ids: Record<string, string>;
  project: Schemas['ProjectResponse'];
  /** A tracked vulnerability that nobody has accepted. */
  vulnerabilityId: string;
  /** Keys that have one scope only. */
  readKey: string;
  writeKey: string;
  unknownId: string;
  newProject(): Promise<Schemas['ProjectResponse']>;
  /** An SBOM of its own service in a project; not scanned yet. */
  newSbom(projectId: string): Promise<UploadResult>;
  /** The service of the newest SBOM of a project. */
  serviceOf(projectId: string): Promise<string>;
  newAlertRule(): Promise<string>;
  /** A VEX document of the project; its id. */
  newVex(name: string, version?: number): Promise<string>;
  newApiKey(scopes: string[]): Promise<Schemas['ApiKeyCreated']>;
  /** A dead letter, by the name of the path parameter that takes it. */
  newDeadLetter(consumer?: string): Promise<{ dead_letter_id: string }>;
  /** The secret of a key that is bound to the project. */
  newBoundKey(scopes: NonNullable<Schemas['ApiKeyCreate']['scopes']>): Promise<string>;
  /** An access token of somebody new, who may read. @throws Error in a stack without people */
  newPerson(): Promise<string>;
}

/**
 * Puts one of everything into a stack. @param options `prefix` of names, which no other harness of the stack has;
 *   `people`: the issuer that the stack believes, with a group `viewers`
 */
export async function createHarness(
  stack: TestStack,
  { prefix = 'thing', people }: { prefix?: string; people?: TokenIssuer } = {},
): Promise<Harness> {
  const { client } = stack;
  let count = 0;
  const label = () => `${prefix}-${++count}`;

  async function post<Body>(path: string, body: object): Promise<Body> {
    const response = await send(stack.target, { method: 'POST', path, body });
    if (response.status !== 201) throw new Error(`${path}: ${await response.text()}`);
    return (await response.json()) as Body;
  }
  const newProject = () => client.createProject({ name: `Project ${label()}` });
  const newSbom = (projectId: string): Promise<UploadResult> => {
    const name = label();
    const file = npmDocument(name, ['lodash@4.17.15']);
    return client.upload({ project_id: projectId, service_name: name, version: '1', file });
  };
  const newApiKey = (scopes: string[]) =>
    post<Schemas['ApiKeyCreated']>('/api/v1/api-keys', { scopes });

  const project = await newProject();
  const newAlertRule = async () =>
    (await post<{ id: string }>('/api/v1/alert-rules', { project_id: project.id })).id;
  const serviceOf = async (projectId: string): Promise<string> => {
    const [service] = await client.listServices(projectId);
    if (!service) throw new Error(`Project ${projectId} has no service.`);
    return service.id;
  };

  const sbom = await newSbom(project.id);
  await waitForScan(client, sbom.id, scanMs);
  const other = await newSbom(project.id);
  await waitForScan(client, other.id, scanMs);
  const [row, accepted] = await client.allActive({ project_id: project.id });
  if (!row || !accepted) throw new Error('lodash 4.17.15 has too few vulnerabilities.');
  const { id: acceptance_id } = await client.accept({
    project_id: project.id,
    vulnerability_id: accepted.id,
    service_id: accepted.service_id ?? '',
    reason: 'Not reachable.',
  });
  const newVex = async (name: string, version?: number): Promise<string> =>
    (await client.importVex(vexDocument(name, version), project.id)).id;
  const decidedInBulk = await sendForJson<{ id: string }>(stack.target, {
    method: 'POST',
    path: '/api/v1/vulnerabilities/acceptances/bulk',
    body: { project_id: (await newProject()).id, filter: {}, reason: 'r' },
  });
  const newDeadLetter = async (consumer = 'scanner-uploads') => ({
    dead_letter_id: String(await layDeadLetter(stack, consumer)),
  });
  const rule = await client.createDecisionRule(project.id, ruleAboutNothing);
  const brought = await client.createImport({ source: 'dependency-track' });
  await client.updateImport(brought.id, { services: [importedService(project.id)] });
  const key = await newApiKey(['read']);
  return {
    stack,
    project,
    ids: {
      project_id: project.id,
      sbom_id: sbom.id,
      other_id: other.id,
      service_id: await serviceOf(project.id),
      vulnerability_id: row.id,
      acceptance_id,
      alert_id: await newAlertRule(),
      api_key_id: key.id,
      person_id: randomUUID(),
      vex_id: await newVex(`harness-${prefix}`),
      bulk_id: decidedInBulk.id,
      rule_id: rule.id,
      import_id: brought.id,
      advisory_id: row.cve_id,
      ...(await newDeadLetter()),
    },
    vulnerabilityId: row.id,
    readKey: key.key,
    writeKey: (await newApiKey(['write'])).key,
    unknownId: randomUUID(),
    newProject,
    newSbom,
    serviceOf,
    newAlertRule,
    newVex,
    newApiKey,
    newDeadLetter,
    async newBoundKey(scopes) {
      return (await client.createKey({ scopes, project_id: project.id })).key;
    },
    async newPerson() {
      if (!people) throw new Error('The stack knows no people.');
      return people.token(randomUUID(), ['viewers']);
    },
  };
}
