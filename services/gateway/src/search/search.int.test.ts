import { fakeServices, type FakeServices } from '../testing/fake-services';
import * as harness from '../testing/fake-data';
import { startGateway, type TestGateway } from '../testing/start-gateway';

let gateway: TestGateway;
let fakes: FakeServices;
/** A key that is bound to the project that holds nothing. */
let boundKey: string;

beforeAll(async () => {
  gateway = await startGateway();
  fakes = fakeServices(gateway.bus);
  const made = await gateway.call('POST', '/api/v1/api-keys', {
    body: JSON.stringify({ project_id: harness.otherProjectId, scopes: ['read'] }),
    headers: { 'content-type': 'application/json' },
  });
  boundKey = ((await made.json()) as { key: string }).key;
});
afterAll(() => gateway?.stop());
beforeEach(() => {
  fakes.requested.length = 0;
});

async function get(path: string, key?: string): Promise<{ status: number; body: unknown }> {
  const init = key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } };
  const response = await gateway.call('GET', `/api/v1/${path}`, init);
  return { status: response.status, body: await response.json() };
}

const requestsOf = (subject: string) =>
  fakes.requested.filter((one) => one.subject === subject).map(({ body }) => body);

describe('The search for a package', () => {
  test('asks for the purl or the name as it was given', async () => {
    const { status, body } = await get('search/packages?purl=pkg:npm/%2540scope/a@1.0.0&page=2');
    expect(status).toBe(200);
    const { serviceUsing } = harness;
    expect(body).toEqual({
      items: [{ ...serviceUsing, owner: null, labels: [] }],
      total: 1,
      page: 2,
      per_page: 50,
      total_pages: 1,
      has_more: false,
      complete: true,
      pending_sboms: 2,
      failed_sboms: 1,
      advisory_data: 'feed',
    });
    await get('search/packages?name=@Scope/A&version=1.0.0');
    expect(requestsOf('catalog.find-services-using.v1')).toEqual([
      {
        query: { purl: 'pkg:npm/%40scope/a@1.0.0', name: null, version: null },
        page: 2,
        per_page: 50,
      },
      { query: { purl: null, name: '@Scope/A', version: '1.0.0' }, page: 1, per_page: 50 },
    ]);
  });

  test('takes a version beside a purl, unless the purl has another one', async () => {
    expect((await get('search/packages?purl=pkg:npm/a&version=1')).status).toBe(200);
    expect((await get('search/packages?purl=pkg:npm/a@1&version=1')).status).toBe(200);
    expect(await get('search/packages?purl=pkg:npm/a@1&version=2')).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['query', 'version'], type: 'value_error', input: '2' }] },
    });
  });

  test('stays within the project of a bound key', async () => {
    const own = await get('search/packages?name=a', boundKey);
    expect(own.body).toMatchObject({ items: [], total: 0 });
    const { projectId, otherProjectId } = harness;
    const foreign = await get(`search/packages?name=a&project_id=${projectId}`, boundKey);
    expect(foreign.body).toMatchObject({ items: [], total: 0, pending_sboms: 0, failed_sboms: 0 });
    expect(requestsOf('catalog.find-services-using.v1')).toMatchObject([
      { project_id: otherProjectId },
    ]);
  });
});

describe('The search for a vulnerability', () => {
  test('tells who has it, accepted ones too, and what the advisories know of the id', async () => {
    const { body } = await get('search/vulnerabilities/cve-2021-44228');
    expect(body).toMatchObject({
      items: [
        {
          id: harness.vulnerabilityId,
          status: 'accepted',
          former_id: false,
          project_name: 'Web Shop',
          service_name: 'Checkout',
        },
      ],
      total: 1,
      known: true,
      ids: ['CVE-2021-44228'],
      withdrawn: false,
      pending_sboms: 2,
      failed_sboms: 1,
      advisory_data: 'feed',
    });
    expect((body as { items: object[] }).items[0]).toHaveProperty('service_id', harness.serviceId);
  });

  test('tells a known id that nobody has from one that nobody has heard of', async () => {
    const known = await get('search/vulnerabilities/CVE-2021-44228', boundKey);
    expect(known).toMatchObject({ status: 200, body: { items: [], total: 0, known: true } });
    const unknown = await get('search/vulnerabilities/CVE-1999-0001');
    expect(unknown).toMatchObject({ status: 404, body: { code: 'advisory_not_found' } });
  });

  test('finds what still has an id that the advisories have lost, and tells nobody else of it', async () => {
    const { status, body } = await get('search/vulnerabilities/OLD-1');
    expect(status).toBe(200);
    expect(body).toMatchObject({ known: false, ids: [], items: [{ former_id: true }], total: 1 });
    expect((await get('search/vulnerabilities/OLD-1', boundKey)).status).toBe(404);
  });
});

describe('The search for a licence', () => {
  const { serviceLicensed } = harness;

  test('asks for an id or a group and answers with services', async () => {
    const { status, body } = await get('search/licenses?license=AGPL-3.0-only&per_page=2');
    expect(status).toBe(200);
    expect(body).toEqual({
      items: [{ ...serviceLicensed, owner: null, labels: [] }],
      total: 1,
      page: 1,
      per_page: 2,
      total_pages: 1,
      has_more: false,
      complete: true,
    });
    await get('search/licenses?group=unknown');
    expect(requestsOf('catalog.find-services-licensed.v1')).toEqual([
      { query: { license: 'AGPL-3.0-only', group: null }, page: 1, per_page: 2 },
      { query: { license: null, group: 'unknown' }, page: 1, per_page: 50 },
    ]);
  });

  test('refuses a text that is no id and names similar ones, and unknown parameters', async () => {
    expect(await get('search/licenses?license=AGPL')).toMatchObject({
      status: 422,
      body: {
        detail: [
          {
            loc: ['query', 'license'],
            msg: expect.stringContaining('similar ids: AGPL-3.0-only'),
            input: 'AGPL',
          },
        ],
      },
    });
    for (const query of ['license=MIT&name=a', 'license=MIT&group=permissive', 'group=copyleft'])
      expect((await get(`search/licenses?${query}`)).status).toBe(422);
  });

  test('stays within the project of a bound key', async () => {
    const own = await get('search/licenses?license=MIT', boundKey);
    expect(own.body).toMatchObject({ items: [], total: 0 });
    const foreign = await get(
      `search/licenses?license=MIT&project_id=${harness.projectId}`,
      boundKey,
    );
    expect(foreign.body).toMatchObject({ items: [], total: 0 });
    expect(requestsOf('catalog.find-services-licensed.v1')).toMatchObject([
      { project_id: harness.otherProjectId },
    ]);
  });
});

describe('The coverage of an SBOM', () => {
  test('lists what could not be judged, with the counts of the whole document', async () => {
    const { body } = await get(`sboms/${harness.sbomId}/coverage?reason=no_purl&per_page=1`);
    expect(body).toEqual({
      items: [harness.undetermined],
      total: 1,
      page: 1,
      per_page: 1,
      total_pages: 1,
      has_more: false,
      scan_status: 'scanned',
      advisory_data: 'feed',
      coverage: { components: 2, evaluated: 1, undetermined: { no_purl: 1 }, scope: 'part' },
    });
    expect(requestsOf('scanner.list-undetermined.v1')).toEqual([
      { digest: harness.sbom.digest, reason: 'no_purl', page: 1, per_page: 1 },
    ]);
  });

  test('does not exist for a key that is bound to another project', async () => {
    expect(await get(`sboms/${harness.sbomId}/coverage`, boundKey)).toMatchObject({
      status: 404,
      body: { code: 'sbom_not_found' },
    });
  });
});

test('a key that is bound to a project may read the state of the feeds', async () => {
  expect(await get('advisories/feeds', boundKey)).toEqual({
    status: 200,
    body: {
      advisory_data: 'feed',
      revision: 7,
      applied: true,
      feeds: [harness.feed],
      risk_feeds: [harness.riskFeed],
      vex_sources: [],
    },
  });
});

test('readiness goes without the feeds where nobody tells of them', async () => {
  const alone = await startGateway();
  try {
    const response = await fetch(`http://127.0.0.1:${alone.port}/readyz`);
    expect(await response.json()).toMatchObject({ status: 'not_ready', advisories: null });
  } finally {
    await alone.stop();
  }
});
