import { fakeServices, type FakeServices } from '../testing/fake-services';
import * as harness from '../testing/fake-data';
import { startGateway, type TestGateway } from '../testing/start-gateway';

let gateway: TestGateway;
let fakes: FakeServices;
/** A key that is bound to the project that has no services. */
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

const requestsOf = (subject: string) =>
  fakes.requested.filter((one) => one.subject === subject).map(({ body }) => body);

const get = (path: string) => gateway.call('GET', path);

const decide = (path: string, body: object) =>
  gateway.call('POST', path, {
    body: JSON.stringify({ decision: 'in_triage', reason: 'r', ...body }),
    headers: { 'content-type': 'application/json' },
  });
const decideInBulk = (filter: object) =>
  decide('/api/v1/vulnerabilities/acceptances/bulk', { project_id: harness.projectId, filter });

describe('A bulk decision by owner and label', () => {
  test('is about the services that the catalog names at the call', async () => {
    const filter = { owner: 'Team Checkout', label: ['x', 'y'], severity: ['low'] };
    expect((await decideInBulk(filter)).status).toBe(201);
    expect(requestsOf('catalog.find-owned-services.v1')).toEqual([
      { owner: 'Team Checkout', labels: ['x', 'y'], project_id: harness.projectId },
    ]);
    expect(requestsOf('reconciler.decide-in-bulk.v1')).toMatchObject([
      { filter: { service_ids: [harness.serviceId], severity: ['low'] } },
    ]);
  });

  test.each([
    { owner: 'nobody' },
    { owner: 'Team Checkout', service_ids: [harness.otherProjectId] },
  ])('is about nothing if no service fits %j', async (filter) => {
    expect((await decideInBulk(filter)).status).toBe(201);
    const [asked] = requestsOf('reconciler.decide-in-bulk.v1');
    expect(asked).toMatchObject({ vulnerability_ids: [] });
    expect(asked).not.toHaveProperty('filter');
  });

  test.each([
    [{ owner: 'everybody' }, ['body', 'filter', 'owner']],
    [{ owner: ' ' }, ['body', 'filter', 'owner']],
    [{ label: [] }, ['body', 'filter', 'label']],
    [{ label: ['a,b'] }, ['body', 'filter', 'label', 0]],
  ])('%j is refused', async (filter, loc) => {
    const response = await decideInBulk(filter);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ detail: [{ loc }] });
    expect(requestsOf('reconciler.decide-in-bulk.v1')).toEqual([]);
  });
});

test('a standing rule keeps its owner and labels, which the reconciler follows', async () => {
  const filter = { owner: 'Team Checkout', label: ['x'], ecosystem: 'npm' };
  const path = `/api/v1/projects/${harness.projectId}/decision-rules`;
  const made = await decide(path, { name: 'Ours', filter });
  expect(made.status).toBe(201);
  expect(await made.json()).toMatchObject({ filter, service_names: null });
  expect(requestsOf('reconciler.create-decision-rule.v1')).toMatchObject([{ filter }]);
});

/** Path, and the request to the reconciler that it becomes. */
const lists = [
  ['/api/v1/vulnerabilities', 'reconciler.list-vulnerabilities.v1'],
  ['/api/v1/vulnerabilities/active', 'reconciler.list-active.v1'],
  ['/api/v1/vulnerabilities/summary', 'reconciler.summarise-active.v1'],
  ['/api/v1/vulnerabilities/groups?group_by=package', 'reconciler.group-vulnerabilities.v1'],
  ['/api/v1/remediations', 'reconciler.plan-remediations.v1'],
  ['/api/v1/search/vulnerabilities/CVE-2021-44228', 'reconciler.find-affected.v1'],
] as const;

describe.each(lists)('%s', (path, subject) => {
  const by = (filter: string) => get(`${path}${path.includes('?') ? '&' : '?'}${filter}`);

  test('is of the services of an owner, which the catalog names', async () => {
    expect((await by('owner=Team%20Checkout&label=x')).status).toBe(200);
    expect(requestsOf('catalog.find-owned-services.v1')).toEqual([
      { owner: 'Team Checkout', labels: ['x'] },
    ]);
    const [asked] = requestsOf(subject) as [{ service_id?: string; service_ids?: string[] }];
    expect(asked.service_ids ?? [asked.service_id]).toEqual([harness.serviceId]);
    expect(asked).not.toHaveProperty('owner');
    expect(asked).not.toHaveProperty('label');
  });

  test('of nobody’s services is empty: nothing is asked that would select everything', async () => {
    const response = await by('owner=nobody');
    expect(response.status).toBe(path.includes('search') ? 200 : 200);
    expect(await response.json()).toMatchObject({ total: 0 });
    expect(requestsOf(subject)).toEqual([]);
  });

  test('of too many services is refused with what to do', async () => {
    const response = await by('owner=everybody');
    expect(response.status).toBe(422);
    const { detail } = (await response.json()) as { detail: { loc: string[]; msg: string }[] };
    expect(detail[0]?.loc).toEqual(['query', 'owner']);
    expect(detail[0]?.msg).toMatch(/2000 services: add project_id/);
  });
});

describe.each(lists.slice(0, 5))('has_owner of %s', (path, subject) => {
  const by = (filter: string) => get(`${path}${path.includes('?') ? '&' : '?'}${filter}`);

  test('is of the services with an owner, or of those without one', async () => {
    expect((await by('has_owner=true')).status).toBe(200);
    const [asked] = requestsOf(subject) as [{ service_id?: string; service_ids?: string[] }];
    expect(asked.service_ids ?? [asked.service_id]).toEqual([harness.serviceId]);
    expect(asked).not.toHaveProperty('has_owner');
    expect(await (await by('has_owner=false')).json()).toMatchObject({ total: 0 });
    expect(requestsOf('catalog.find-owned-services.v1')).toEqual([
      { has_owner: true },
      { has_owner: false },
    ]);
    expect(requestsOf(subject)).toHaveLength(1);
  });
});

test('vulnerabilities name the owner and the day that they are due, also in a CSV file', async () => {
  const { items } = (await (await get('/api/v1/vulnerabilities/active')).json()) as {
    items: { owner: string; due_at: string | null }[];
  };
  expect(items[0]?.owner).toBe('Team Checkout');
  expect(items[0]?.due_at).toMatch(/^\d{4}-\d\d-\d\dT/);
  const csv = await (await get('/api/v1/vulnerabilities/active?format=csv')).text();
  expect(csv).toMatch(/,owner,due_at\r\n.*,Team Checkout,\d{4}-\d\d-\d\dT[^,]*\r/s);
});

test('services that are named, too, are those in both', async () => {
  const path = '/api/v1/vulnerabilities/active?label=internet-facing';
  await get(`${path}&service_id=${harness.serviceId},${harness.missingId}`);
  await get(`${path}&service_id=${harness.missingId}`);
  expect(requestsOf('reconciler.list-active.v1')).toMatchObject([
    { service_id: harness.serviceId },
  ]);
});

test('a filter of a bound key asks for the services of its project alone', async () => {
  const headers = { authorization: `Bearer ${boundKey}` };
  await gateway.call('GET', '/api/v1/vulnerabilities/active?owner=x', { headers });
  expect(requestsOf('catalog.find-owned-services.v1')).toEqual([
    { owner: 'x', project_id: harness.otherProjectId },
  ]);
});

test('lists of projects and services, and the searches of packages, pass the filter on', async () => {
  await get('/api/v1/projects?owner=A&label=b,c');
  await get(`/api/v1/services?project_id=${harness.projectId}&label=b`);
  await get('/api/v1/search/packages?name=a&owner=A');
  const [projects] = requestsOf('catalog.list-projects.v1');
  expect(projects).toMatchObject({ owner: 'A', labels: ['b', 'c'] });
  expect(requestsOf('catalog.list-services.v1')).toEqual([
    { project_id: harness.projectId, labels: ['b'] },
  ]);
  expect(requestsOf('catalog.find-services-using.v1')).toMatchObject([{ owner: 'A' }]);
});

test('a changed service is answered with what is open in it', async () => {
  const response = await gateway.call('PATCH', `/api/v1/services/${harness.serviceId}`, {
    body: JSON.stringify({ owner: 'Team New', labels: ['a'] }),
    headers: { 'content-type': 'application/json' },
  });
  expect(await response.json()).toMatchObject({
    id: harness.serviceId,
    owner: 'Team New',
    labels: ['a'],
    counts: { critical: expect.any(Number) },
  });
});

test('CSV files of projects and services have owner and labels, and whether the newest SBOM is scanned', async () => {
  const csv = async (path: string) => (await get(path)).text();
  expect(await csv('/api/v1/projects?format=csv')).toMatch(/,owner,labels\r\n.*,Team Shop,pci\r/s);
  const services = await csv(`/api/v1/services?project_id=${harness.projectId}&format=csv`);
  expect(services).toMatch(
    /,owner,labels,latest_scan_status,latest_retained,latest_components,latest_evaluated\r\n.*,Team Checkout,internet-facing,scanned,true,2,2\r/s,
  );
});
