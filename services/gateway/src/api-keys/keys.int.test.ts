import { randomUUID } from 'node:crypto';
import { operationRights } from '../access/domain/operation-rights';
import { hashSecret } from './domain/api-key';
import type { ApiKeyDocument } from './store/api-keys-store';
import * as harness from '../testing/fake-data';
import { fakeServices, type FakeServices } from '../testing/fake-services';
import { bootstrapKey, startGateway, type TestGateway } from '../testing/start-gateway';

let gateway: TestGateway;
let fakes: FakeServices;
let count = 0;

beforeAll(async () => {
  gateway = await startGateway();
  fakes = fakeServices(gateway.bus);
});
afterAll(() => gateway?.stop());
beforeEach(() => {
  fakes.requested.length = 0;
  fakes.uploads.length = 0;
});

/** Stores a key and gives it. */
async function makeKey(fields: Partial<ApiKeyDocument>): Promise<string> {
  count += 1;
  const prefix = `testkey${String(count).padStart(5, '0')}`;
  const secret = 'k'.repeat(43);
  await gateway.keys.insertOne({
    _id: randomUUID(),
    prefix,
    secret_sha256: hashSecret(secret),
    name: null,
    scopes: [],
    project_id: null,
    expires_at: null,
    created_at: new Date(),
    revoked_at: null,
    ...fields,
  });
  return `bt_${prefix}_${secret}`;
}

function as(key: string) {
  return async (method: string, path: string, body?: object | FormData) => {
    const isForm = body instanceof FormData;
    const response = await gateway.call(method, path, {
      headers: {
        authorization: `Bearer ${key}`,
        ...(body && !isForm ? { 'content-type': 'application/json' } : {}),
      },
      body: isForm ? body : body && JSON.stringify(body),
    });
    const text = await response.text();
    const result = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
    return { status: response.status, body: result, code: result['code'] };
  };
}

function uploadForm(target: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(target)) form.append(name, value);
  form.append('file', new Blob(['{}']), 'bom.json');
  return form;
}

const { projectId, otherProjectId, sbomId, acceptanceId } = harness;
const someAcceptance = {
  project_id: projectId,
  vulnerability_id: harness.vulnerabilityId,
  reason: 'r',
};

test('the bootstrap key is stored as a hash only, unbound, with all scopes', async () => {
  const stored = await gateway.keys.findOne({ prefix: 'bootstrap000' });
  expect(stored).toMatchObject({ name: 'bootstrap', scopes: [], project_id: null });
  expect(JSON.stringify(stored)).not.toContain(bootstrapKey.slice(-43));
});

test.each<[string, Partial<ApiKeyDocument>, number]>([
  ['not expired', { expires_at: new Date(Date.now() + 60_000) }, 200],
  ['expired', { expires_at: new Date(Date.now() - 1) }, 401],
  ['revoked', { revoked_at: new Date() }, 401],
])('a key that is %s', async (_state, fields, status) => {
  const call = as(await makeKey(fields));
  expect((await call('GET', '/api/v1/projects')).status).toBe(status);
});

test('a key with another secret is invalid', async () => {
  const key = await makeKey({});
  const found = await as(`${key.slice(0, -1)}x`)('GET', '/api/v1/projects');
  expect([found.status, found.code]).toEqual([401, 'invalid_api_key']);
});

describe('Scopes', () => {
  test.each([
    [['upload'], ['upload']],
    [[], ['read', 'upload', 'write', 'admin']],
    [['admin'], ['read', 'upload', 'write', 'admin']],
  ] as const)('a key with %j reads of itself that it has %j', async (scopes, expected) => {
    const key = await makeKey({ name: 'CI', scopes: [...scopes], project_id: projectId });
    const { status, body } = await as(key)('GET', '/api/v1/api-keys/self');
    expect(status).toBe(200);
    expect(body).toMatchObject({ name: 'CI', scopes: expected, project_id: projectId });
    expect(JSON.stringify(body)).not.toContain('k'.repeat(43));
  });

  const calls: [string, string, string, (object | FormData)?][] = [
    ['read', 'GET', '/api/v1/projects'],
    ['read', 'GET', '/api/v1/vulnerabilities/active'],
    ['read', 'GET', `/api/v1/sboms/${sbomId}/download`],
    ['read', 'GET', `/api/v1/sboms/${sbomId}/diff/${harness.otherSbomId}`],
    ['read+upload', 'GET', `/api/v1/sboms/${sbomId}`],
    ['upload', 'POST', '/api/v1/sboms/upload', uploadForm({ project_id: projectId })],
    ['write', 'POST', '/api/v1/projects', { name: 'x' }],
    ['write', 'PATCH', `/api/v1/projects/${projectId}`, {}],
    ['write', 'DELETE', `/api/v1/projects/${projectId}`],
    ['write', 'DELETE', `/api/v1/services/${harness.serviceId}?cascade=true`],
    ['write', 'DELETE', `/api/v1/sboms/${sbomId}`],
    ['write', 'POST', '/api/v1/vulnerabilities/acceptances', someAcceptance],
    ['write', 'DELETE', `/api/v1/vulnerabilities/acceptances/${acceptanceId}`],
    ['read', 'GET', '/api/v1/alert-rules'],
    ['write', 'POST', '/api/v1/alert-rules', { project_id: projectId }],
    ['write', 'PATCH', `/api/v1/alert-rules/${harness.alertRuleId}`, {}],
    ['write', 'DELETE', `/api/v1/alert-rules/${harness.alertRuleId}`],
    ['write', 'POST', `/api/v1/alert-rules/${harness.alertRuleId}/test`],
    ['read', 'GET', `/api/v1/alert-rules/${harness.alertRuleId}/deliveries`],
    ['read', 'GET', `/api/v1/alert-rules/${harness.alertRuleId}/preview`],
  ];

  test.each(['read', 'upload', 'write', 'admin'] as const)(
    'a key with %s can do that and nothing else',
    async (scope) => {
      const call = as(await makeKey({ scopes: [scope] }));
      for (const [scopes, method, path, body] of calls) {
        const allowed = scope === 'admin' || scopes.split('+').includes(scope);
        const found = await call(method, path, body);
        if (allowed) expect([method, path, found.status < 300]).toEqual([method, path, true]);
        else expect([method, path, found.code]).toEqual([method, path, 'insufficient_scope']);
      }
    },
  );

  test('a missing scope is said before anything of the request is judged', async () => {
    const call = as(await makeKey({ scopes: ['read'] }));
    expect((await call('PATCH', '/api/v1/projects/no-uuid', { name: 7 })).status).toBe(403);
  });
});

describe('For a key that is bound to another project', () => {
  let call: ReturnType<typeof as>;

  beforeAll(async () => {
    call = as(await makeKey({ project_id: otherProjectId }));
  });

  test.each([
    ['GET', `/api/v1/projects/${projectId}`, 'project_not_found'],
    ['PATCH', `/api/v1/projects/${projectId}`, 'project_not_found'],
    ['DELETE', `/api/v1/projects/${projectId}`, 'project_not_found'],
    ['GET', `/api/v1/projects/${projectId}/history`, 'project_not_found'],
    ['DELETE', `/api/v1/services/${harness.serviceId}?cascade=true`, 'service_not_found'],
    ['GET', `/api/v1/sboms/${sbomId}`, 'sbom_not_found'],
    ['GET', `/api/v1/sboms/${sbomId}/download`, 'sbom_not_found'],
    ['GET', `/api/v1/sboms/${sbomId}/diff/${harness.foreignSbomId}`, 'sbom_not_found'],
    ['GET', `/api/v1/sboms/${harness.foreignSbomId}/diff/${sbomId}`, 'sbom_not_found'],
    ['DELETE', `/api/v1/sboms/${sbomId}`, 'sbom_not_found'],
  ])('%s %s does not exist', async (method, path, code) => {
    const found = await call(method, path, method === 'PATCH' ? {} : undefined);
    expect([found.status, found.code]).toEqual([404, code]);
  });

  const forAll = Object.entries(operationRights).filter(
    ([, right]) => right === 'administer' || right === 'create-project',
  );

  test.each(forAll)('%s is not about one project and refused', async (operationId) => {
    const operation = gateway.contract.operations.get(operationId);
    const path = operation?.path.replace(/\{(\w+)\}/g, (_all, name) =>
      name === 'dead_letter_id' ? '7' : sbomId,
    );
    const body = { vulnerability_id: harness.vulnerabilityId, reason: 'r' };
    const sent = operationId === 'createGlobalAcceptance' ? body : undefined;
    const found = await call(operation?.method ?? '', path ?? '', sent);
    expect([found.status, found.code]).toEqual([403, 'insufficient_scope']);
    expect(found.body['detail']).toContain('bound to one');
    expect(fakes.requested).toEqual([]);
  });

  test('an upload by id or by slug finds no such project, its own it finds', async () => {
    const path = '/api/v1/sboms/upload';
    for (const [name, value] of [
      ['project_id', projectId],
      ['project_slug', 'web-shop'],
    ] as const) {
      const found = await call('POST', path, uploadForm({ [name]: value }));
      expect([found.status, found.code]).toEqual([404, 'project_not_found']);
    }
    expect(fakes.uploads).toEqual([]);
    await call('POST', path, uploadForm({ project_slug: 'other' }));
    const requested = fakes.requested.find(({ subject }) => subject === 'ingest.accept-upload.v1');
    expect(requested?.body).toMatchObject({ project_id: otherProjectId, project_slug: null });
  });

  test('lists are narrowed to its own project', async () => {
    await call('GET', '/api/v1/projects');
    await call('GET', '/api/v1/vulnerabilities/active');
    await call('GET', '/api/v1/vulnerabilities/summary');
    await call('GET', '/api/v1/vulnerabilities/acceptances');
    const narrowed = fakes.requested
      .filter(({ subject }) => /list|summarise/.test(subject))
      .map(({ body }) => body['project_id']);
    expect(narrowed).toEqual([otherProjectId, otherProjectId, otherProjectId, otherProjectId]);
  });

  test('the list of projects shows none of a catalog that does not know the filter', async () => {
    const { status, body } = await call('GET', '/api/v1/projects');
    expect(fakes.requested.map(({ subject }) => subject)).toContain('catalog.list-projects.v1');
    expect([status, body]).toMatchObject([200, { items: [], total: 0 }]);
  });

  test('the list of projects is empty once its own is deleted, as long as the key is remembered', async () => {
    const left = as(await makeKey({ project_id: randomUUID() }));
    const { status, body } = await left('GET', '/api/v1/projects');
    expect([status, body]).toMatchObject([200, { items: [], total: 0 }]);
  });

  test('lists that ask for another project are empty, and nobody is asked', async () => {
    const filter = `?project_id=${projectId}`;
    const services = await call('GET', `/api/v1/services${filter}`);
    const active = await call('GET', `/api/v1/vulnerabilities/active${filter}`);
    const summary = await call('GET', `/api/v1/vulnerabilities/summary${filter}`);
    expect(services.body).toEqual([]);
    expect(active.body).toMatchObject({ items: [], total: 0, total_pages: 0 });
    expect(summary.body).toMatchObject({ total: 0 });
    expect(fakes.requested.filter(({ subject }) => !subject.includes('coverage'))).toEqual([]);
  });

  test('no project can be created, and no acceptance in another one', async () => {
    const created = await call('POST', '/api/v1/projects', { name: 'x' });
    expect([created.status, created.code]).toEqual([403, 'insufficient_scope']);
    const accepted = await call('POST', '/api/v1/vulnerabilities/acceptances', someAcceptance);
    expect([accepted.status, accepted.code]).toEqual([404, 'project_not_found']);
  });

  test('an acceptance of another project cannot be deleted', async () => {
    const foreign = await call('DELETE', `/api/v1/vulnerabilities/acceptances/${acceptanceId}`);
    expect([foreign.status, foreign.code]).toEqual([404, 'acceptance_not_found']);
    expect(fakes.requested.map(({ body }) => body)).toEqual([
      { acceptance_id: acceptanceId, of_project: otherProjectId },
    ]);
  });
});
