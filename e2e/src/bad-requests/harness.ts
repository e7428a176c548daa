import { sendForJson, waitForScan } from '@bomtrail/api-client';
import type { TestStack } from '../support/test-stack';
import { npmDocument } from '../support/examples';
import type { Harness } from './bad-request';

const scanMs = 30_000;

/** Puts a little into a fresh stack and gives the names under which requests speak of it. */
export async function createHarness({ client, stack }: TestStack): Promise<Harness> {
  const project = await client.createProject({ name: 'Bad requests' });
  const empty = await client.createProject({ name: 'Empty' });
  const document = npmDocument('victim', ['lodash@4.17.15']);
  const upload = { project_id: project.id, service_name: 'victim', version: '1', file: document };
  const sbom = await client.upload(upload);
  await waitForScan(client, sbom.id, scanMs);
  const [row] = await client.allActive({ project_id: project.id });
  if (!row) throw new Error('lodash 4.17.15 has no vulnerability.');
  const [service] = await client.listServices(project.id);
  if (!service) throw new Error('The upload made no service.');
  const target = { baseUrl: stack.baseUrl, apiKey: stack.apiKey };
  const rule = await sendForJson<{ id: string }>(target, {
    method: 'POST',
    path: '/api/v1/alert-rules',
    body: { project_id: project.id, enabled: false },
  });
  const { apiKey } = stack;
  return {
    PROJECT: project.id,
    UPPERPROJECT: project.id.toUpperCase(),
    PROJECTNAME: project.name,
    EMPTY: empty.id,
    SBOM: sbom.id,
    SERVICE: service.id,
    RULE: rule.id,
    SBOMTEXT: document.toString(),
    VULNERABILITY: row.id,
    KEY: apiKey,
    UPPERKEY: apiKey.toUpperCase(),
    SHORTKEY: apiKey.slice(0, -1),
    KEYHEAD: apiKey.slice(0, apiKey.indexOf('_', 3)),
  };
}
