/// <reference types="jest" />
import { waitForScan } from '@bomtrail/api-client';
import { mongoUriOf, collectionsContaining } from '@bomtrail/reference-model';
import { eventually } from '@bomtrail/testkit';
import { npmDocument } from '../support/examples';
import type { TestStack } from '../support/test-stack';

const parallelDeletes = 10;

/** Tests of what goes with a service or a project. */
export function deletionTests(stack: () => TestStack): void {
  let running: TestStack;

  beforeAll(() => {
    running = stack();
  });

  async function call(method: string, apiPath: string, body?: object) {
    const { baseUrl, apiKey, fetch } = running.target;
    const response = await fetch(`${baseUrl}/api/v1/${apiPath}`, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      body: body && JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as unknown };
  }

  /** A project with two services, scanned, and one of everything that can belong to a project. */
  async function fullProject(name: string) {
    const { client } = running;
    const { id } = await client.createProject({ name });
    const file = npmDocument('shop', ['lodash@4.17.15', 'minimist@0.0.8']);
    const sbom = await client.upload({ project_id: id, service_name: 'a', file });
    await client.upload({ project_id: id, service_name: 'b', file });
    const detail = await waitForScan(client, sbom.id, 30_000);
    const [row] = await client.allActive({ service_id: detail.service_id ?? '' });
    if (!row) throw new Error('The service has no vulnerability.');
    await client.accept({ project_id: id, vulnerability_id: row.id, reason: 'r' });
    expect((await call('POST', 'alert-rules', { project_id: id })).status).toBe(201);
    expect((await call('POST', 'api-keys', { project_id: id })).status).toBe(201);
    return { id, sbomId: sbom.id };
  }

  test('a service goes with its SBOMs only when that is said', async () => {
    const { id } = await fullProject('Two services');
    const service = (await running.client.listServices(id)).find(({ name }) => name === 'b');
    const at = `services/${service?.id}`;
    expect((await call('DELETE', at)).status).toBe(409);
    expect((await call('DELETE', `${at}?cascade=maybe`)).status).toBe(422);
    expect((await call('DELETE', `${at}?cascade=true`)).status).toBe(204);
    expect((await call('DELETE', `${at}?cascade=true`)).status).toBe(404);
    expect((await running.client.history(id)).total).toBe(1);
  });

  test('after the 204 no read shows the project, and in the end no database holds anything of it', async () => {
    const { client } = running;
    const kept = await fullProject('Long life');
    const { id, sbomId } = await fullProject('Short life');
    const before = (await client.allActive({ project_id: kept.id })).length;
    const responses = await Promise.all(
      Array.from({ length: parallelDeletes }, () => call('DELETE', `projects/${id}`)),
    );
    expect(responses.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 404)).toHaveLength(parallelDeletes - 1);

    for (const gone of [`projects/${id}`, `projects/${id}/history`, `sboms/${sbomId}`]) {
      expect([gone, (await call('GET', gone)).status]).toEqual([gone, 404]);
    }
    expect((await call('GET', `sboms/${sbomId}/download`)).status).toBe(404);
    expect(await client.listServices(id)).toEqual([]);
    const everywhere = await client.allActive({});
    expect(everywhere.filter(({ project_id }) => project_id === id)).toEqual([]);
    expect((await client.summary({})).total).toBe(everywhere.length);
    for (const list of ['vulnerabilities/acceptances', 'alert-rules', 'api-keys']) {
      const { items } = (await call('GET', `${list}?per_page=200`)).body as {
        items: { project_id: string | null }[];
      };
      expect([list, items.filter(({ project_id }) => project_id === id)]).toEqual([list, []]);
    }
    expect((await client.createProject({ name: 'short LIFE' })).slug).toBe('short-life');
    expect(await client.allActive({ project_id: kept.id })).toHaveLength(before);

    const mongoUri = mongoUriOf(running.dataDir);
    const left = (): Promise<string[]> => collectionsContaining(mongoUri, 'project_id', id);
    await eventually(async () => expect(await left()).toEqual([]), {
      what: 'no database holds anything of the project',
    });
  });
}
