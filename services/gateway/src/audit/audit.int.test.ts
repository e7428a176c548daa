import { eventually } from '@bomtrail/testkit';
import { MongoClient, type Db } from 'mongodb';
import { connectGrpc } from '../testing/grpc-client';
import * as harness from '../testing/fake-data';
import { fakeServices, type FakeServices } from '../testing/fake-services';
import { bootstrapKey, startGateway, type TestGateway } from '../testing/start-gateway';
import type { AuditEntryView } from './list-audit';

let gateway: TestGateway;
let fakes: FakeServices;
let mongo: MongoClient;
let db: Db;
const { projectId, otherProjectId, sbomId, serviceId, missingId } = harness;
const json = { 'content-type': 'application/json' };

beforeAll(async () => {
  gateway = await startGateway();
  fakes = fakeServices(gateway.bus);
  mongo = await new MongoClient(gateway.servers.mongoUri).connect();
  db = mongo.db(`${gateway.servers.prefix}gateway`);
});
afterAll(async () => {
  await mongo?.close();
  await gateway?.stop();
});
beforeEach(() => {
  fakes.requested.length = 0;
  gateway.errors.length = 0;
});

interface Page {
  items: AuditEntryView[];
  total: number;
  has_more: boolean;
}

async function list(query = '', key = bootstrapKey): Promise<Page> {
  const response = await gateway.call('GET', `/api/v1/audit${query}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  expect(response.status).toBe(200);
  return (await response.json()) as Page;
}

/** The entry of a call, once it has its outcome. */
async function entryOf(response: Response): Promise<AuditEntryView> {
  await response.arrayBuffer();
  const requestId = response.headers.get('x-request-id');
  return eventually(
    async () => {
      const found = (await list()).items.find((entry) => entry.request_id === requestId);
      if (!found || found.outcome === 'unknown') throw new Error('not yet');
      return found;
    },
    { what: 'the call has an entry with its outcome' },
  );
}

async function makeKey(fields: object): Promise<{ id: string; key: string; prefix: string }> {
  const init = { headers: json, body: JSON.stringify(fields) };
  const response = await gateway.call('POST', '/api/v1/api-keys', init);
  return (await response.json()) as { id: string; key: string; prefix: string };
}

function uploadForm(target: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(target)) form.append(name, value);
  form.append('file', new Blob(['{}']), 'bom.json');
  return form;
}

describe('A call that changes something has an entry', () => {
  test('with who, what, when, whence and how it ended', async () => {
    const { id, key, prefix } = await makeKey({ name: 'CI', scopes: ['write'] });
    const before = Date.now();
    const response = await gateway.call('POST', '/api/v1/projects?x=secret', {
      headers: { ...json, authorization: `Bearer ${key}` },
      body: '{"name":"Web Shop"}',
    });
    const entry = await entryOf(response);
    expect(entry).toMatchObject({
      key_id: id,
      key_prefix: prefix,
      key_name: 'CI',
      protocol: 'rest',
      operation: 'createProject',
      method: 'POST',
      path: '/api/v1/projects',
      project_id: projectId,
      resources: { project_id: projectId },
      client_address: '127.0.0.1',
      outcome: 'succeeded',
      status: 201,
      code: null,
    });
    expect(Date.parse(entry.at)).toBeGreaterThanOrEqual(before - 1_000);
    expect(Date.parse(entry.completed_at ?? '')).toBeGreaterThanOrEqual(Date.parse(entry.at));
  });

  test('whatever the door of an upload, and by whatever name its project goes', async () => {
    const rest = await gateway.call('POST', '/api/v1/sboms/upload', {
      body: uploadForm({ project_slug: 'web-shop' }),
    });
    const uploaded = {
      operation: 'uploadSbom',
      outcome: 'succeeded',
      status: 201,
      project_id: projectId,
      resources: { project_id: projectId, sbom_id: sbomId },
    };
    expect(await entryOf(rest)).toMatchObject({ ...uploaded, protocol: 'rest' });
    const client = connectGrpc(gateway.grpcPort);
    const { status } = await client.upload(
      { project_slug: 'web-shop', sbom_json: '{}' },
      { metadata: { 'x-request-id': 'over-grpc' } },
    );
    client.close();
    expect(status).toBe('OK');
    const headers = new Headers({ 'x-request-id': 'over-grpc' });
    expect(await entryOf(new Response(null, { headers }))).toMatchObject({
      ...uploaded,
      protocol: 'grpc',
      path: '/sbom.SBOMService/UploadSBOM',
      client_address: '127.0.0.1',
    });
  });

  test.each([
    ['of an SBOM', 'deleteSbom', `/api/v1/sboms/${sbomId}`, { sbom_id: sbomId }],
    [
      'of a service',
      'deleteService',
      `/api/v1/services/${serviceId}?cascade=true`,
      { service_id: serviceId },
    ],
  ])('a delete %s also with the project that it was of', async (...[, operation, path, ids]) => {
    const response = await gateway.call('DELETE', path);
    expect(await entryOf(response)).toMatchObject({
      operation,
      outcome: 'succeeded',
      status: 204,
      project_id: projectId,
      resources: { ...ids, project_id: projectId },
    });
  });

  const refused: [number, string | null, string, string, RequestInit?][] = [
    [
      404,
      'project_not_found',
      'PATCH',
      `/api/v1/projects/${missingId}`,
      { headers: json, body: '{}' },
    ],
    [422, null, 'PATCH', '/api/v1/projects/no-uuid', { headers: json, body: '{}' }],
    [422, null, 'POST', '/api/v1/projects'],
    [400, 'malformed_json', 'POST', '/api/v1/projects', { headers: json, body: '{' }],
    [
      409,
      'project_name_taken',
      'POST',
      '/api/v1/projects',
      { headers: json, body: '{"name":"taken"}' },
    ],
    [404, 'api_key_not_found', 'DELETE', `/api/v1/api-keys/${missingId}`],
  ];
  test.each(refused)(
    'also when it is refused: %d %s',
    async (...[status, code, method, path, init]) => {
      const response = await gateway.call(method, path, init);
      expect(await entryOf(response)).toMatchObject({
        outcome: 'refused',
        status,
        code,
        method,
        path,
      });
    },
  );

  test('which names the project of a key that is revoked', async () => {
    const { id } = await makeKey({ project_id: projectId });
    const entry = await entryOf(await gateway.call('DELETE', `/api/v1/api-keys/${id}`));
    const resources = { api_key_id: id, project_id: projectId };
    expect(entry).toMatchObject({ operation: 'deleteApiKey', status: 204, resources });
  });

  test('also when its key lacks the scope', async () => {
    const { id, key } = await makeKey({ scopes: ['read'] });
    const response = await gateway.call('DELETE', `/api/v1/sboms/${sbomId}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(await entryOf(response)).toMatchObject({
      key_id: id,
      outcome: 'refused',
      status: 403,
      code: 'insufficient_scope',
      resources: { sbom_id: sbomId },
    });
  });

  test('also when it fails', async () => {
    fakes.uploadFails = new Error('broken');
    const response = await gateway.call('POST', '/api/v1/sboms/upload', {
      body: uploadForm({ project_id: projectId }),
    });
    fakes.uploadFails = null;
    expect(await entryOf(response)).toMatchObject({
      outcome: 'failed',
      status: 500,
      code: 'internal_error',
      project_id: projectId,
    });
    gateway.errors.length = 0;
  });

  test('also when its client goes away before the request is whole', async () => {
    const leave = new AbortController();
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('{"name":')),
    });
    const headers = { ...json, 'x-request-id': 'gone-away' };
    const init = { headers, body, duplex: 'half', signal: leave.signal } as RequestInit;
    const requested = gateway.call('POST', '/api/v1/projects', init);
    await eventually(
      async () => (await list('?operation=createProject')).items[0]?.request_id === 'gone-away',
      {
        what: 'the call has an entry before its body is there',
      },
    );
    leave.abort();
    await expect(requested).rejects.toThrow();
    const response = new Response(null, { headers: { 'x-request-id': 'gone-away' } });
    expect(await entryOf(response)).toMatchObject({ outcome: 'aborted', status: null, code: null });
  });

  test('but not when it only reads, nor when nobody knows who calls, nor where there is nothing', async () => {
    const { total } = await list();
    await gateway.call('GET', '/api/v1/projects');
    await gateway.call('HEAD', `/api/v1/projects/${projectId}`);
    await gateway.call('POST', '/api/v1/projects', { headers: { authorization: '' } });
    await gateway.call('POST', '/api/v1/nothing');
    expect((await list()).total).toBe(total);
  });
});

describe('Before its work', () => {
  test('a call has its entry already: what a kill would leave', async () => {
    let release: () => void = () => {};
    const untilReleased = new Promise<void>((resolve) => (release = resolve));
    let arrived: () => void = () => {};
    const atWork = new Promise<void>((resolve) => (arrived = resolve));
    fakes.beforeUploadResponse = async () => {
      arrived();
      await untilReleased;
    };
    const upload = gateway.call('POST', '/api/v1/sboms/upload', {
      body: uploadForm({ project_id: projectId }),
    });
    await atWork;
    const [entry] = (await list('?operation=uploadSbom')).items;
    expect(entry).toMatchObject({ outcome: 'unknown', status: null, completed_at: null });
    fakes.beforeUploadResponse = async () => {};
    release();
    expect(await entryOf(await upload)).toMatchObject({ id: entry?.id, outcome: 'succeeded' });
  });

  test('a call that cannot be entered is refused, and nothing is done', async () => {
    await db.command({ collMod: 'audit_entries', validator: { _id: 'nothing' } });
    const response = await gateway.call('POST', '/api/v1/projects', {
      headers: json,
      body: '{"name":"x"}',
    });
    await db.command({ collMod: 'audit_entries', validator: {} });
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ code: 'service_unavailable' });
    expect(fakes.requested).toEqual([]);
    expect(gateway.errors).toMatchObject([{ message: 'Storing an audit entry failed.' }]);
  });
});

test('an outcome that cannot be stored holds up no answer; it is logged and stays unknown', async () => {
  await db.command({ collMod: 'audit_entries', validator: { outcome: null } });
  const response = await gateway.call('POST', '/api/v1/projects', {
    headers: json,
    body: '{"name":"x"}',
  });
  expect(response.status).toBe(201);
  await eventually(() => gateway.errors.length === 1, { what: 'it is logged' });
  await db.command({ collMod: 'audit_entries', validator: {} });
  expect(gateway.errors).toMatchObject([
    { message: 'Storing the outcome of an audit entry failed.', outcome: { status: 201 } },
  ]);
  const requestId = response.headers.get('x-request-id');
  const entry = (await list()).items.find(({ request_id }) => request_id === requestId);
  expect(entry).toMatchObject({ outcome: 'unknown', operation: 'createProject' });
});

test('no secret and nothing of a body is in an entry', async () => {
  const { key } = await makeKey({ name: 'SECRET-NAME' });
  const secret = key.slice(-43);
  await entryOf(await gateway.call('DELETE', `/api/v1/api-keys/${key}`));
  const text = JSON.stringify([
    await db.collection('audit_entries').find().toArray(),
    (await list()).items,
  ]);
  expect(text).toContain(`/api/v1/api-keys/${key.slice(0, 16)}…`);
  expect(text).not.toContain(secret);
  expect(text).not.toContain('SECRET-NAME');
});

describe('The list', () => {
  test('is in pages, the newest first, and can be narrowed', async () => {
    const { id, key } = await makeKey({ scopes: ['write'] });
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c']) {
      const response = await gateway.call('POST', '/api/v1/projects', {
        headers: { ...json, authorization: `Bearer ${key}` },
        body: JSON.stringify({ name }),
      });
      ids.unshift((await entryOf(response)).id);
    }
    const mine = await list(`?key_id=${id}`);
    expect(mine.items.map((entry) => entry.id)).toEqual(ids);
    const second = await list(`?key_id=${id}&per_page=2&page=2`);
    expect(second).toMatchObject({ total: 3, has_more: false, items: [{ id: ids[2] }] });
    const middle = mine.items[1]?.at ?? '';
    expect((await list(`?key_id=${id}&from=${middle}`)).total).toBe(2);
    expect((await list(`?key_id=${id}&to=${middle}`)).total).toBe(1);
    expect((await list(`?key_id=${id}&operation=createProject`)).total).toBe(3);
    expect((await list(`?key_id=${id}&operation=deleteSbom`)).total).toBe(0);
    expect((await list(`?key_id=${id}&project_id=${projectId}`)).total).toBe(3);
    expect((await list(`?key_id=${id}&project_id=${otherProjectId}`)).total).toBe(0);
  });

  test('asks for the scope admin', async () => {
    const { key } = await makeKey({ scopes: ['read', 'write', 'upload'] });
    const headers = { authorization: `Bearer ${key}` };
    expect((await gateway.call('GET', '/api/v1/audit', { headers })).status).toBe(403);
  });

  test('holds for a bound key what was done in its project, also by others', async () => {
    const { key } = await makeKey({ scopes: ['admin'], project_id: otherProjectId });
    const { id: uploader, key: uploadKey } = await makeKey({ project_id: otherProjectId });
    const foreign = await gateway.call('PATCH', `/api/v1/projects/${projectId}`, {
      headers: { ...json, authorization: `Bearer ${uploadKey}` },
      body: '{}',
    });
    // It tried another project, and is seen where it belongs.
    expect(await entryOf(foreign)).toMatchObject({ status: 404, project_id: otherProjectId });
    const seen = await list('?per_page=200', key);
    expect(new Set(seen.items.map((entry) => entry.project_id))).toEqual(new Set([otherProjectId]));
    expect(seen.items.map((entry) => entry.key_id)).toContain(uploader);
    expect(seen.items.map((entry) => entry.key_prefix)).toContain('bootstrap000');
    expect((await list(`?project_id=${projectId}`, key)).total).toBe(0);
  });

  test('refuses bounds that are no times', async () => {
    expect((await gateway.call('GET', '/api/v1/audit?from=yesterday')).status).toBe(422);
  });
});

test('entries are kept for as long as is set, also after the setting has changed', async () => {
  const retention = async () =>
    (await db.collection('audit_entries').indexes()).find(({ name }) => name === 'retention');
  expect(await retention()).toMatchObject({ key: { at: 1 }, expireAfterSeconds: 365 * 86_400 });
  const second = await startGateway({
    MONGODB_URI: gateway.servers.mongoUri,
    MONGODB_DATABASE_PREFIX: gateway.servers.prefix,
    AUDIT_RETENTION_DAYS: 30,
  });
  await second.stop();
  expect(await retention()).toMatchObject({ expireAfterSeconds: 30 * 86_400 });
});

test('a stop waits for the outcomes that are still to be written', async () => {
  const own = await startGateway({
    MONGODB_URI: gateway.servers.mongoUri,
    MONGODB_DATABASE_PREFIX: gateway.servers.prefix,
    NATS_URL: gateway.servers.natsUrl,
  });
  const calls = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      own.call('POST', '/api/v1/projects', {
        headers: { ...json, 'x-request-id': `before-the-stop-${index}` },
        body: '{"name":"x"}',
      }),
    ),
  );
  await own.stopService();
  expect(calls.map(({ status }) => status)).toEqual(Array(40).fill(201));
  const entries = await db
    .collection('audit_entries')
    .find({ request_id: /^before-the-stop-/ })
    .toArray();
  expect(entries.map(({ outcome }) => (outcome as { status: number }).status)).toEqual(
    Array(40).fill(201),
  );
  await own.stop();
});
