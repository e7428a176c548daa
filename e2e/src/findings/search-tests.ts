/// <reference types="jest" />
import { createApiClient, sendForJson, waitForScan, type ApiClient } from '@bomtrail/api-client';
import { eventually } from '@bomtrail/testkit';
import { npmDocument } from '../support/examples';
import type { TestStack } from '../support/test-stack';

const scanMs = 30_000;
/** Of lodash 4.17.15; the starter set has it under both ids. */
const cve = 'CVE-2021-23337';
const alias = 'ghsa-35JH-r3h4-6jhm';

/** Three components that nothing can judge. */
function oddDocument(): Buffer {
  const components = [
    { type: 'application', name: 'Tiny Tool' },
    { type: 'library', name: 'thing', version: '2', purl: 'pkg:generic/thing@2' },
    { type: 'library', name: 'left-pad', purl: 'pkg:npm/left-pad' },
  ];
  const document = { bomFormat: 'CycloneDX', specVersion: '1.5', version: 1, components };
  return Buffer.from(JSON.stringify(document));
}

type Query = Parameters<ApiClient['searchPackages']>[0];

/** Tests of the search for packages and vulnerabilities over all projects: the first ones of a stack. */
export function searchTests(stack: () => TestStack): void {
  let running: TestStack;
  let client: ApiClient;
  let shop: { id: string; name: string; slug: string };
  let other: { id: string };

  beforeAll(async () => {
    running = stack();
    client = running.client;
    shop = await client.createProject({ name: 'Search shop' });
    other = await client.createProject({ name: 'Search other' });
    await upload(shop.id, 'frontend', '1', npmDocument('f', ['lodash@4.17.15', 'qs@6.13.0']));
    await upload(shop.id, 'tools', '1', oddDocument());
    await upload(other.id, 'backend', '7', npmDocument('b', ['lodash@4.17.21']));
  });

  async function upload(
    ...[project_id, service_name, version, file]: [string, string, string, Uint8Array]
  ): Promise<string> {
    const { id } = await client.upload({ project_id, service_name, version, file });
    await waitForScan(client, id, scanMs);
    return id;
  }
  const servicesUsing = async (query: Query, of = client): Promise<(string | null)[]> =>
    (await of.searchPackages(query)).items.map(({ service_name }) => service_name);
  const affected = async (id: string, of = client): Promise<(string | null)[]> => [
    ...new Set((await of.searchVulnerability(id)).items.map(({ service_name }) => service_name)),
  ];

  test('a package is found by purl and by name, with where it is and what else may hold it', async () => {
    expect(await servicesUsing({ purl: 'pkg:npm/lodash@4.17.15' })).toEqual(['frontend']);
    expect(await servicesUsing({ purl: 'pkg:npm/lodash' })).toEqual(['frontend', 'backend']);
    expect(await servicesUsing({ name: 'LODASH' })).toEqual(['frontend', 'backend']);
    expect(await servicesUsing({ name: 'lodash', version: '4.17.21' })).toEqual(['backend']);
    const found = await client.searchPackages({ name: 'qs' });
    expect(found).toMatchObject({
      total: 1,
      complete: true,
      pending_sboms: 0,
      failed_sboms: 0,
      advisory_data: 'starter',
      items: [
        {
          project_id: shop.id,
          project_slug: shop.slug,
          project_name: shop.name,
          version: '1',
          packages: [
            // On starter data nothing is called unaffected.
            { name: 'qs', version: '6.13.0', purl: 'pkg:npm/qs@6.13.0', affected: null },
          ],
        },
      ],
    });
  });

  test('components that nothing can judge are found too, and listed with the reason', async () => {
    for (const query of [
      { name: 'tiny tool' },
      { purl: 'pkg:generic/thing' },
      { purl: 'pkg:generic/thing@2' },
      { purl: 'pkg:npm/left-pad' },
    ]) {
      expect([query, await servicesUsing(query)]).toEqual([query, ['tools']]);
    }
    expect(await servicesUsing({ purl: 'pkg:generic/thing@3' })).toEqual([]);

    const [tools] = (await client.searchPackages({ name: 'thing' })).items;
    const id = tools?.sbom_id ?? '';
    const coverage = { components: 3, evaluated: 0, scope: 'none' };
    expect(await client.sbom(id)).toMatchObject({ coverage, vulnerabilities: [] });
    const listed = await client.coverage(id);
    expect(listed).toMatchObject({
      total: 3,
      scan_status: 'scanned',
      coverage,
    });
    expect(listed.items.map(({ name, reason }) => `${name}: ${reason}`).sort()).toEqual([
      'Tiny Tool: no_purl',
      'left-pad: no_version',
      'thing: unknown_ecosystem',
    ]);
    expect((await client.coverage(id, { reason: 'no_purl' })).total).toBe(1);
  });

  test('a vulnerability is found by every id, and an unknown one is no empty list', async () => {
    expect(await affected(cve)).toEqual(['frontend']);
    expect(await affected(alias)).toEqual(['frontend']);
    const known = await client.searchVulnerability('GHSA-jfh8-c2jp-5v3q');
    expect(known).toMatchObject({ total: 0, known: true, withdrawn: false });
    expect(known.ids).toContain('CVE-2021-44228');
    await expect(client.searchVulnerability('CVE-1999-0000')).rejects.toMatchObject({
      status: 404,
      code: 'advisory_not_found',
    });
  });

  test('an accepted vulnerability is still held, and says that it is accepted', async () => {
    const id = await upload(other.id, 'accepts', '1', npmDocument('a', ['minimist@0.0.8']));
    const [row] = (await client.sbom(id)).vulnerabilities;
    await client.accept({ project_id: other.id, vulnerability_id: row?.id ?? '', reason: 'r' });
    const found = await client.searchVulnerability(row?.cve_id ?? '');
    expect(found.items).toMatchObject([{ service_name: 'accepts', status: 'accepted' }]);
  });

  test('what the newest SBOM of a service lacks is no longer held', async () => {
    const before = npmDocument('m', ['lodash@4.17.15', 'once@1.4.0']);
    await upload(shop.id, 'moving', '1', before);
    expect(await servicesUsing({ name: 'once' })).toEqual(['moving']);
    expect(await affected(cve)).toEqual(['frontend', 'moving']);
    await upload(shop.id, 'moving', '2', npmDocument('m', ['lodash@4.17.21']));
    expect(await servicesUsing({ name: 'once' })).toEqual([]);
    expect(await affected(cve)).toEqual(['frontend']);
  });

  test('a key that is bound to a project finds what that one holds', async () => {
    const { key } = await sendForJson<{ key: string }>(running.target, {
      method: 'POST',
      path: '/api/v1/api-keys',
      body: { project_id: other.id, scopes: ['read'] },
    });
    const bound = createApiClient({ ...running.target, apiKey: key });
    expect(await servicesUsing({ name: 'lodash' }, bound)).toEqual(['backend']);
    expect(await servicesUsing({ name: 'lodash', project_id: shop.id }, bound)).toEqual([]);
    expect(await affected(cve, bound)).toEqual([]);
    expect((await bound.advisoryFeeds()).advisory_data).toBe('starter');
  });

  test('a deleted project holds nothing', async () => {
    const gone = await client.createProject({ name: 'Search gone' });
    await upload(gone.id, 'gone', '1', npmDocument('g', ['lodash@4.17.15']));
    expect(await affected(cve)).toContain('gone');
    expect(await servicesUsing({ purl: 'pkg:npm/lodash@4.17.15' })).toContain('gone');
    await sendForJson(running.target, { method: 'DELETE', path: `/api/v1/projects/${gone.id}` });
    expect(await affected(cve)).not.toContain('gone');
    expect(await servicesUsing({ purl: 'pkg:npm/lodash@4.17.15' })).not.toContain('gone');
  });

  test('the feeds say that only the starter set is there, and readiness says it in short', async () => {
    const { feeds, applied } = await client.advisoryFeeds();
    expect(applied).toBe(true);
    const npm = feeds.find(({ ecosystem }) => ecosystem === 'npm');
    expect(npm).toMatchObject({ data_status: 'starter_data', last_error: null });
    expect(npm?.records).toBeGreaterThan(5);
    const hex = feeds.find(({ ecosystem }) => ecosystem === 'Hex');
    expect(hex).toMatchObject({ data_status: 'feed_not_loaded', records: 0, as_of: null });
    await eventually(
      async () => {
        const response = await fetch(`${running.stack.baseUrl}/readyz`);
        const { advisories } = (await response.json()) as { advisories: unknown };
        expect(advisories).toEqual({
          data: 'starter',
          oldest_age_seconds: null,
          stale: [],
          failed: [],
        });
      },
      { what: 'readiness tells of the advisories' },
    );
  });

  test('a list has the names of its moment: a renamed project, a new owner, no deleted service', async () => {
    const project = await client.createProject({ name: 'Search renamed' });
    const file = npmDocument('n', ['lodash@4.17.15']);
    await upload(project.id, 'named', '1', file);
    const listed = async () =>
      (await client.listActive({ project_id: project.id, per_page: 1 })).items.map(
        ({ project_name, service_name, owner }) => [project_name, service_name, owner],
      );
    expect(await listed()).toEqual([['Search renamed', 'named', null]]);
    const changes = { path: `/api/v1/projects/${project.id}`, body: { name: 'Search, again' } };
    await sendForJson(running.target, { method: 'PATCH', ...changes });
    expect(await listed()).toEqual([['Search, again', 'named', null]]);
    const [service] = await client.listServices(project.id);
    await client.updateService(service?.id ?? '', { owner: 'Team Search' });
    expect(await listed()).toEqual([['Search, again', 'named', 'Team Search']]);
    await sendForJson(running.target, {
      method: 'DELETE',
      path: `/api/v1/services/${service?.id}`,
      query: { cascade: 'true' },
    });
    expect(await listed()).toEqual([]);
  });
}
