import { fakeServices, type FakeServices } from '../testing/fake-services';
import * as harness from '../testing/fake-data';
import { startGateway, type TestGateway } from '../testing/start-gateway';

let gateway: TestGateway;
let fakes: FakeServices;

beforeAll(async () => {
  gateway = await startGateway();
  fakes = fakeServices(gateway.bus);
});
afterAll(() => gateway?.stop());
beforeEach(() => {
  fakes.requested.length = 0;
});

const requestsOf = (subject: string) =>
  fakes.requested.filter((one) => one.subject === subject).map(({ body }) => body);

test('the plan names projects and services', async () => {
  const { projectId, serviceId, remediation, noSum } = harness;
  const query = `project_id=${projectId}&service_id=${serviceId}&per_page=10`;
  const response = await gateway.call('GET', `/api/v1/remediations?${query}`);
  expect(response.status).toBe(200);
  const services = remediation.services.map((service) => ({
    ...service,
    project_name: 'Web Shop',
    service_name: 'Checkout',
  }));
  expect(await response.json()).toEqual({
    items: [{ ...remediation, services, direct_dependencies: null }],
    total: 1,
    page: 1,
    per_page: 10,
    total_pages: 1,
    has_more: false,
    complete: true,
    closes: remediation.closes,
    remains: noSum,
    advisory_data: 'feed',
  });
  expect(requestsOf('reconciler.plan-remediations.v1')).toEqual([
    { project_id: projectId, service_ids: [serviceId], page: 1, per_page: 10 },
  ]);
});

test('a package that is not direct names the direct dependencies that bring it', async () => {
  const { remediation } = harness;
  const [service] = remediation.services;
  const transitive = {
    ...remediation,
    services: [{ ...service, is_direct: false, purl: 'pkg:npm/a@1.0.0' }],
  };
  fakes.remediations = [transitive, remediation] as typeof fakes.remediations;
  const response = await gateway.call('GET', '/api/v1/remediations');
  const { items } = (await response.json()) as { items: { direct_dependencies: unknown }[] };
  expect(items.map(({ direct_dependencies }) => direct_dependencies)).toEqual([
    [{ name: 'a', version: '1.0.0', purl: 'pkg:npm/a@1.0.0' }],
    null,
  ]);
  expect(requestsOf('ingest.find-dependency-paths.v1')).toMatchObject([
    { purls: ['pkg:npm/a@1.0.0'] },
  ]);
});

test('a key of another project sees no plan', async () => {
  const made = await gateway.call('POST', '/api/v1/api-keys', {
    body: JSON.stringify({ project_id: harness.otherProjectId, scopes: ['read'] }),
    headers: { 'content-type': 'application/json' },
  });
  const { key } = (await made.json()) as { key: string };
  const response = await gateway.call(
    'GET',
    `/api/v1/remediations?project_id=${harness.projectId}`,
    { headers: { authorization: `Bearer ${key}` } },
  );
  expect(await response.json()).toMatchObject({ items: [], total: 0, complete: true });
  expect(requestsOf('reconciler.plan-remediations.v1')).toEqual([]);
});
