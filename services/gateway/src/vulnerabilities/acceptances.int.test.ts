import { randomUUID } from 'node:crypto';
import * as harness from '../testing/fake-data';
import { fakeServices, type FakeServices } from '../testing/fake-services';
import { startGateway, type TestGateway } from '../testing/start-gateway';

let gateway: TestGateway;
let fakes: FakeServices;

beforeAll(async () => {
  gateway = await startGateway();
  fakes = fakeServices(gateway.bus);
});
afterAll(() => gateway?.stop());

const headers = { 'content-type': 'application/json' };
const given = {
  project_id: harness.projectId,
  vulnerability_id: harness.vulnerabilityId,
  reason: 'Not reachable.',
};

async function acceptWith(key: { key: string } | null): Promise<{ status: number; body: unknown }> {
  const authorization = key && { authorization: `Bearer ${key.key}` };
  const response = await gateway.call('POST', '/api/v1/vulnerabilities/acceptances', {
    body: JSON.stringify({ ...given, created_by: { key_id: harness.missingId, key_prefix: 'x' } }),
    headers: { ...headers, ...authorization },
  });
  return { status: response.status, body: await response.json() };
}

async function newKey(fields: object): Promise<{ id: string; prefix: string; key: string }> {
  const response = await gateway.call('POST', '/api/v1/api-keys', {
    body: JSON.stringify(fields),
    headers,
  });
  return (await response.json()) as { id: string; prefix: string; key: string };
}

test('An acceptance is given by the key of the call, whatever its body says of that', async () => {
  const key = await newKey({ name: 'of the auditor' });
  const created_by = { key_id: key.id, key_prefix: key.prefix };
  expect(await acceptWith(key)).toMatchObject({ status: 201, body: { created_by } });
  const requested = fakes.requested.filter(
    ({ subject }) => subject === 'reconciler.create-acceptance.v1',
  );
  expect(requested.at(-1)?.body).toMatchObject({ ...given, created_by });
});

test('For a key that is bound to another project there is no project to accept in, and nobody is asked', async () => {
  const key = await newKey({ project_id: harness.otherProjectId });
  fakes.requested.length = 0;
  expect(await acceptWith(key)).toMatchObject({ status: 404, body: { code: 'project_not_found' } });
  expect(fakes.requested.map(({ subject }) => subject)).not.toContain(
    'reconciler.create-acceptance.v1',
  );
});

describe('A page whose decisions name more services than one request for names may', () => {
  const decidedServices = Array.from({ length: 5 }, () =>
    Array.from({ length: 50 }, () => randomUUID()),
  );
  beforeAll(() => {
    fakes.decidedServices.push(...decidedServices);
  });
  afterAll(() => {
    fakes.decidedServices.length = 0;
  });

  test.each(['vulnerabilities/acceptances', `projects/${harness.projectId}/decision-rules`])(
    '(%s) names all of them',
    async (list) => {
      const response = await gateway.call('GET', `/api/v1/${list}`);
      const page = (await response.json()) as { items: { service_names: string[] }[] };
      expect([response.status, page]).toMatchObject([
        200,
        { items: decidedServices.map(() => ({})) },
      ]);
      for (const { service_names } of page.items)
        expect(service_names).toEqual(Array.from({ length: 50 }, () => 'Checkout'));
    },
  );
});
