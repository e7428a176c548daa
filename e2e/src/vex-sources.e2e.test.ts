import { waitForScan } from '@bomtrail/api-client';
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

function shopWith(component: string): Buffer {
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
