import { sendForJson, waitForScan } from '@bomtrail/api-client';
import { makeAdvisoryFolder, type AdvisoryFolder } from '@bomtrail/reference-model';
import { eventually, startFakeVexServer } from '@bomtrail/testkit';
import { startTestStack, type TestStack } from './support/test-stack';

let stack: TestStack;
let folder: AdvisoryFolder;
let server: Awaited<ReturnType<typeof startFakeVexServer>>;

const advisory = { id: 'GHSA-lib', aliases: [], severity: 'medium', withdrawn: false } as const;

beforeAll(async () => {
  folder = await makeAdvisoryFolder();
  await folder.put({ ...advisory, aliases: [], affects: ['lib@1.0.0'] });
  server = await startFakeVexServer();
  putVendor(['other']);
  stack = await startTestStack({
    env: {
      BOMTRAIL_ADVISORY_SOURCE: folder.path,
      BOMTRAIL_VEX_SOURCES: `${server.url}/csaf/provider-metadata.json`,
      BOMTRAIL_FEED_INTERVAL_SECONDS: '1',
      BOMTRAIL_TEST_SWEEP_RATE: '8',
      LOG_LEVEL: 'error',
    },
  });
});
afterAll(async () => {
  await stack?.stop();
  server?.close();
  await folder?.discard();
});

/** A vendor that says of these products that they are not affected. */
function putVendor(products: readonly string[], version = 1): void {
  server.put('/csaf/provider-metadata.json', {
    distributions: [{ rolie: { feeds: [{ url: `${server.url}/csaf/feed.json` }] } }],
  });
  for (const product of products)
    server.put(`/csaf/${product}.json`, {
      '@context': 'https://openvex.dev/ns/v0.2.0',
      '@id': `https://vendor.example/${product}`,
      author: 'Vendor',
      timestamp: '2026-01-01T00:00:00Z',
      version,
      statements: [
        {
          vulnerability: { name: 'GHSA-lib' },
          products: [{ '@id': `pkg:npm/${product}` }],
          status: 'not_affected',
          justification: 'vulnerable_code_not_present',
        },
      ],
    });
  server.put('/csaf/feed.json', {
    feed: {
      entry: products.map((product) => ({
        updated: String(version),
        link: [{ rel: 'self', href: `${server.url}/csaf/${product}.json` }],
      })),
    },
  });
}

function shopWith(component: string, more: object = {}): Buffer {
  const library = (name: string, version: string) => ({
    type: 'library',
    name,
    version,
    purl: `pkg:npm/${name}@${version}`,
    'bom-ref': name,
  });
  return Buffer.from(
    JSON.stringify({
      bomFormat: 'CycloneDX',
      specVersion: '1.5',
      version: 1,
      metadata: { component: library('shop', '1.0.0') },
      components: [library(component, '1.0.0')],
      dependencies: [{ ref: 'shop', dependsOn: [component] }],
      ...more,
    }),
  );
}

test('a vendor’s documents are followed: they decide where their product is, and rewind when they are withdrawn', async () => {
  const { client } = stack;
  const { id: project_id } = await client.createProject({ name: 'Watched' });
  const upload = { project_id, service_name: 'shop', version: '1', file: shopWith('lib') };
  const { id } = await client.upload(upload);
  await waitForScan(client, id, 30_000);
  const statusIs = (wanted: string): Promise<void> =>
    eventually(
      async () => {
        const { items } = await client.vulnerabilities({ project_id });
        expect(items.map(({ status }) => status)).toEqual([wanted]);
      },
      { what: `the vulnerability is ${wanted}`, within: 40_000 },
    );
  await statusIs('open');
  putVendor(['other', 'shop']);
  await statusIs('not_affected');
  const { items } = await client.vulnerabilities({ project_id });
  expect(items[0]?.decision).toMatchObject({ source: 'vex' });
  const { vex_sources } = await client.advisoryFeeds();
  expect(vex_sources).toMatchObject([{ documents: 2, rejected: 0, last_error: null }]);

  server.break(/feed/, 'html');
  await eventually(
    async () => {
      const [source] = (await client.advisoryFeeds()).vex_sources;
      expect(source?.last_error?.message).toContain('is not JSON');
    },
    { what: 'the failure is told', within: 40_000 },
  );
  await statusIs('not_affected');
  server.heal();
  server.remove('/csaf/shop.json');
  putVendor(['other']);
  await statusIs('open');
});

test('what an SBOM says of its own vulnerabilities is ignored, suggested or applied, by project', async () => {
  const { client, target } = stack;
  const { id: project_id, embedded_vex } = await client.createProject({ name: 'Embedded' });
  expect(embedded_vex).toBe('off');
  const vulnerabilities = [
    {
      id: 'GHSA-lib',
      affects: [{ ref: 'lib' }],
      analysis: { state: 'false_positive', detail: 'Another lib.' },
    },
  ];
  const upload = async (version: string): Promise<void> => {
    const file = shopWith('lib', { vulnerabilities, version: Number(version) });
    const { id } = await client.upload({ project_id, service_name: 'embedded', version, file });
    await waitForScan(client, id, 30_000);
  };
  const row = async () => (await client.vulnerabilities({ project_id })).items[0];
  const suggested = async () => (await client.vulnerability((await row())?.id ?? '')).suggestions;
  const set = (mode: string): Promise<unknown> =>
    sendForJson(target, {
      method: 'PATCH',
      path: `/api/v1/projects/${project_id}`,
      body: { embedded_vex: mode },
    });
  const within = 40_000;

  await upload('1');
  expect(await row()).toMatchObject({ status: 'open', decision: null });
  expect(await suggested()).toEqual([]);
  await set('suggest');
  await eventually(
    async () =>
      expect(await suggested()).toMatchObject([
        { decision: 'false_positive', reason: 'Another lib.' },
      ]),
    { what: 'the SBOM suggests', within },
  );
  expect(await row()).toMatchObject({ status: 'open' });
  await set('apply');
  const isDecided = { status: 'false_positive', decision: { source: 'vex' } };
  await eventually(async () => expect(await row()).toMatchObject(isDecided), {
    what: 'the SBOM decides',
    within,
  });
  expect(await suggested()).toEqual([]);
  await upload('2');
  expect(await row()).toMatchObject(isDecided);
  await set('off');
  await eventually(async () => expect(await row()).toMatchObject({ status: 'open' }), {
    what: 'the SBOM decides no more',
    within,
  });
});
