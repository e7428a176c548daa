import { vulnerabilityStatuses } from '@bomtrail/messages';
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

const path = '/api/v1/vulnerabilities';
const ofBound = () => ({ headers: { authorization: `Bearer ${boundKey}` } });

async function get(of: string, init?: RequestInit): Promise<{ status: number; body: unknown }> {
  const response = await gateway.call('GET', `${path}${of}`, init);
  return { status: response.status, body: await response.json() };
}

const requestsOf = (subject: string) =>
  fakes.requested.filter((one) => one.subject === subject).map(({ body }) => body);

/** What people see of the SBOMs of the played row; the catalog no longer knows the second one. */
const points = {
  introduced_in: { ...harness.record.introduced_in, version: '1.4.0' },
  fixed_in: { ...harness.record.fixed_in, version: null },
};

describe('The list of all states', () => {
  test('names project, service and the versions of the SBOMs', async () => {
    const { body } = await get('');
    expect(body).toMatchObject({ total: 1, total_pages: 1, advisory_data: 'feed' });
    const [item] = (body as { items: object[] }).items;
    expect(item).toMatchObject({
      status: 'fixed',
      reopened: 0,
      ...points,
      project_name: 'Web Shop',
      service_name: 'Checkout',
    });
    expect(item).toHaveProperty('service_id', harness.serviceId);
  });

  test('asks for the versions of a page in one question', async () => {
    await get('');
    expect(requestsOf('catalog.name-sboms.v1')).toEqual([
      { sbom_ids: [harness.sbomId, harness.otherSbomId] },
    ]);
  });

  test('asks for all states unless some are named, with the defaults of the contract', async () => {
    await get('?status=&cve_id=');
    await get('?status=FIXED,accepted&severity=High&sort=package_name&order=asc&page=2');
    const usual = { page: 1, per_page: 50, sort: 'cvss_score', order: 'desc' };
    expect(requestsOf('reconciler.list-vulnerabilities.v1')).toEqual([
      { ...usual, statuses: [...vulnerabilityStatuses] },
      {
        ...usual,
        page: 2,
        sort: 'package_name',
        order: 'asc',
        statuses: ['fixed', 'accepted'],
        severity: ['high'],
      },
    ]);
  });

  test('asks with every filter of the request, as the active list and the summary do', async () => {
    const filters =
      'package_name=a&purl=pkg:npm/a@1.0.0&ecosystem=npm&has_fix=true&is_direct=false&kev=true&min_epss=0.1&q=log4j&decision=In_Triage,none&has_ticket=true&assignee=Ann&detected_since=2026-01-01T00:00:00Z&overdue=true';
    const sent = {
      package_name: 'a',
      purl: 'pkg:npm/a@1.0.0',
      ecosystem: 'npm',
      has_fix: true,
      is_direct: false,
      kev: true,
      min_epss: 0.1,
      q: 'log4j',
      decision: ['in_triage', 'none'],
      has_ticket: true,
      assignee: 'Ann',
      detected_since: '2026-01-01T00:00:00.000Z',
      overdue: {
        is: true,
        limits: [
          {
            project_ids: [harness.projectId],
            detected_before: { critical: expect.stringMatching(/^20\d\d-/) as string },
          },
        ],
      },
    };
    const service_ids = [harness.serviceId, harness.missingId];
    for (const [of, subject] of [
      ['', 'list-vulnerabilities'],
      ['/active', 'list-active'],
      ['/summary', 'summarise-active'],
    ] as const) {
      fakes.requested.length = 0;
      expect((await get(`${of}?${filters}&service_id=${service_ids.join()}`)).status).toBe(200);
      await get(`${of}?service_id=${harness.serviceId}`);
      expect(requestsOf(`reconciler.${subject}.v1`)).toMatchObject([
        { ...sent, service_ids },
        { service_id: harness.serviceId },
      ]);
    }
  });

  test('stays within the project of a bound key', async () => {
    const foreign = await get(`?project_id=${harness.projectId}`, ofBound());
    expect(foreign).toMatchObject({ status: 200, body: { items: [], total: 0 } });
    await get('', ofBound());
    expect(requestsOf('reconciler.list-vulnerabilities.v1')).toMatchObject([
      { project_id: harness.otherProjectId },
    ]);
  });
});

describe('Groups', () => {
  test.each([
    ['vulnerability', { cve_id: 'CVE-2021-44228', title: 'Remote code execution' }, []],
    ['package', { package_name: 'a', ecosystem: 'npm', project_id: null, project_name: null }, []],
    [
      'service',
      { service_name: 'Checkout', service_id: harness.serviceId, project_name: 'Web Shop' },
      ['catalog.name-services.v1'],
    ],
    [
      'project',
      { project_id: harness.projectId, project_name: 'Web Shop', service_id: null },
      ['catalog.name-projects.v1'],
    ],
  ])('by %s have names, asked for in one question', async (group_by, expected, asked) => {
    fakes.namesRevision = `before ${group_by}`;
    const { body, status } = await get(`/groups?group_by=${group_by}&kev=true`);
    expect([status, body]).toMatchObject([
      200,
      { items: [expected], total: 1, per_page: 50, advisory_data: 'feed' },
    ]);
    const subjects = fakes.requested.map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject.includes('.name-'))).toEqual(asked);
    expect(requestsOf('reconciler.group-vulnerabilities.v1')).toMatchObject([
      { group_by, kev: true, statuses: ['open'] },
    ]);
  });

  test('are of the project of a bound key, and of nothing in another one', async () => {
    const foreign = `/groups?group_by=service&project_id=${harness.projectId}`;
    expect(await get(foreign, ofBound())).toMatchObject({ status: 200, body: { items: [] } });
    await get('/groups?group_by=service', ofBound());
    expect(requestsOf('reconciler.group-vulnerabilities.v1')).toMatchObject([
      { project_id: harness.otherProjectId },
    ]);
  });

  test('need to be by something that is known', async () => {
    expect(await get('/groups')).toMatchObject({ status: 422 });
    expect(await get('/groups?group_by=colour')).toMatchObject({ status: 422 });
  });
});

describe('One vulnerability', () => {
  const one = `/${harness.vulnerabilityId}`;

  test('comes with its timeline, the versions of the SBOMs and the acceptances', async () => {
    const { body } = await get(one.toUpperCase());
    expect(body).toMatchObject({
      id: harness.vulnerabilityId,
      service_name: 'Checkout',
      ...points,
      timeline_complete: true,
      advisory_data: 'feed',
      acceptances: [harness.acceptance],
    });
    expect((body as { timeline: object[] }).timeline).toEqual([
      { event: 'opened', at: points.introduced_in.at, sbom_id: harness.sbomId, version: '1.4.0' },
      {
        event: 'accepted',
        at: points.introduced_in.at,
        acceptance_id: harness.acceptanceId,
        reason: 'Not reachable.',
        justification: null,
        created_by: null,
        source: 'manual',
      },
      { event: 'fixed', at: points.fixed_in.at, sbom_id: harness.otherSbomId, version: null },
    ]);
    expect(body).toHaveProperty('service_id', harness.serviceId);
  });

  test('is not sent again to who has it, and HEAD has no body', async () => {
    const response = await gateway.call('GET', path + one);
    const etag = response.headers.get('etag') ?? '';
    expect(etag).toMatch(/^W\/"/);
    const again = await gateway.call('GET', path + one, { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const head = await gateway.call('HEAD', path + one);
    expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, '']);
  });

  test.each([
    ['that is not there', () => get(`/${harness.missingId}`)],
    ['of a project that does not exist for the key', () => get(one, ofBound())],
  ])('%s is not found', async (_title, response) => {
    expect(await response()).toMatchObject({
      status: 404,
      body: { code: 'vulnerability_not_found' },
    });
  });

  test.each(['POST', 'DELETE', 'PATCH'])('cannot be changed (%s)', async (method) => {
    const response = await gateway.call(method, path + one);
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});
