import { deleteProjectData } from '@bomtrail/messages';
import { eventually } from '@bomtrail/testkit';
import * as harness from '../testing/fake-data';
import { fakeServices } from '../testing/fake-services';
import { bootstrapKey, startGateway, type TestGateway } from '../testing/start-gateway';

interface Key {
  id: string;
  prefix: string;
  key: string;
  scopes: string[];
  project_id: string | null;
  expires_at: string | null;
  last_used_at: string | null;
}

let gateway: TestGateway;
const { projectId, otherProjectId, missingId } = harness;
const path = '/api/v1/api-keys';

beforeAll(async () => {
  gateway = await startGateway();
  fakeServices(gateway.bus);
});
afterAll(() => gateway?.stop());

/** @param operation method and path */
async function ask(key: string, operation: string, body?: object) {
  const [method = '', at = ''] = operation.split(' ');
  const response = await gateway.call(method, at, {
    headers: {
      authorization: `Bearer ${key}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  const result = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
  return { status: response.status, code: result['code'], body: result };
}

async function create(fields: object, maker = bootstrapKey): Promise<Key> {
  const { status, body } = await ask(maker, `POST ${path}`, fields);
  expect(status).toBe(201);
  return body as unknown as Key;
}

async function list(key = bootstrapKey, query = '?per_page=200'): Promise<Key[]> {
  const { body } = await ask(key, `GET ${path}${query}`);
  return body['items'] as Key[];
}

describe('A key that is made', () => {
  test('is shown once, works at once, and is kept as a hash only', async () => {
    const made = await create({ name: 'CI', scopes: ['read', 'read'] });
    expect(made.key).toMatch(/^bt_[A-Za-z0-9]{12}_[A-Za-z0-9_-]{43}$/);
    expect(made).toMatchObject({
      prefix: made.key.slice(3, 15),
      name: 'CI',
      scopes: ['read'],
      project_id: null,
      expires_at: null,
      last_used_at: null,
    });
    expect((await ask(made.key, 'GET /api/v1/projects')).status).toBe(200);
    const stored = await gateway.keys.findOne({ prefix: made.prefix });
    expect(JSON.stringify([stored, await list()])).not.toContain(made.key.slice(-43));
  });

  test.each([
    [{}],
    [{ name: null, scopes: null, project_id: null, expires_at: null }],
    [{ scopes: [] }],
  ])('with %j has all scopes and no end', async (fields) => {
    const made = await create(fields);
    expect(made).toMatchObject({ name: null, scopes: [], project_id: null, expires_at: null });
    expect((await ask(made.key, `GET ${path}`)).status).toBe(200);
  });

  test('for a project that does not exist is not made', async () => {
    const { status, code } = await ask(bootstrapKey, `POST ${path}`, { project_id: missingId });
    expect([status, code]).toEqual([404, 'project_not_found']);
  });

  test('must end in the future', async () => {
    const { status, body } = await ask(bootstrapKey, `POST ${path}`, {
      expires_at: '2020-01-01T00:00:00Z',
    });
    expect([status, body]).toMatchObject([422, { detail: [{ loc: ['body', 'expires_at'] }] }]);
  });
});

describe('The list', () => {
  test('holds what is not revoked, the newest first, in pages', async () => {
    const made = [await create({ name: 'one' }), await create({ name: 'two' })];
    const gone = await create({ name: 'gone' });
    await ask(bootstrapKey, `DELETE ${path}/${gone.id}`);
    const first = await ask(bootstrapKey, `GET ${path}?per_page=2`);
    expect((first.body['items'] as Key[]).map(({ id }) => id)).toEqual([made[1]?.id, made[0]?.id]);
    expect(first.body).toMatchObject({ page: 1, per_page: 2, has_more: true });
    expect((await list()).map(({ prefix }) => prefix)).toContain('bootstrap000');
  });

  test('tells when a key was used last', async () => {
    const made = await create({ scopes: ['read'] });
    await ask(made.key, 'GET /api/v1/projects');
    const used = await eventually(
      async () => {
        const found = (await list()).find(({ id }) => id === made.id);
        if (!found?.last_used_at) throw new Error('not yet');
        return found.last_used_at;
      },
      { what: 'the use of a key is noted' },
    );
    expect(Math.abs(Date.now() - Date.parse(used))).toBeLessThan(30_000);
  });
});

describe('A key that is revoked', () => {
  test('is refused at once where it was revoked', async () => {
    const made = await create({});
    expect((await ask(made.key, `GET ${path}`)).status).toBe(200);
    expect((await ask(bootstrapKey, `DELETE ${path}/${made.id}`)).status).toBe(204);
    const { status, code } = await ask(made.key, `GET ${path}`);
    expect([status, code]).toEqual([401, 'invalid_api_key']);
  });

  test('is so once: of parallel calls one has done it', async () => {
    const { id } = await create({});
    const all = await Promise.all(
      Array.from({ length: 8 }, () => ask(bootstrapKey, `DELETE ${path}/${id.toUpperCase()}`)),
    );
    const codes = all.map(({ status, code }) => code ?? status).sort();
    expect(codes).toEqual([204, ...Array<string>(7).fill('api_key_not_found')]);
  });

  test('may be the one that asks', async () => {
    const made = await create({ scopes: ['admin'] });
    expect((await ask(made.key, `DELETE ${path}/${made.id}`)).status).toBe(204);
    expect((await ask(made.key, `GET ${path}`)).status).toBe(401);
  });
});

describe('Without the scope admin', () => {
  test.each(['read', 'upload', 'write'])(
    'a key with %s neither sees nor changes keys',
    async (scope) => {
      const { key } = await create({ scopes: [scope] });
      for (const operation of [`GET ${path}`, `POST ${path}`, `DELETE ${path}/${missingId}`]) {
        const { status, code } = await ask(key, operation);
        expect([operation, status, code]).toEqual([operation, 403, 'insufficient_scope']);
      }
    },
  );
});

describe('A key that is bound to a project', () => {
  let bound: Key;
  let other: Key;

  beforeAll(async () => {
    bound = await create({ scopes: ['admin'], project_id: projectId });
    other = await create({ project_id: otherProjectId });
  });

  test('makes keys for it alone', async () => {
    const made = await create({ project_id: projectId, scopes: ['upload'] }, bound.key);
    expect(made.project_id).toBe(projectId);
    const unbound = await ask(bound.key, `POST ${path}`, { scopes: ['upload'] });
    expect([unbound.status, unbound.code]).toEqual([403, 'insufficient_scope']);
    const foreign = await ask(bound.key, `POST ${path}`, { project_id: otherProjectId });
    expect([foreign.status, foreign.code]).toEqual([404, 'project_not_found']);
  });

  test('sees and revokes keys of it alone', async () => {
    const seen = await list(bound.key);
    expect(seen.map(({ id }) => id)).toContain(bound.id);
    expect(new Set(seen.map(({ project_id }) => project_id))).toEqual(new Set([projectId]));
    const { status, code } = await ask(bound.key, `DELETE ${path}/${other.id}`);
    expect([status, code]).toEqual([404, 'api_key_not_found']);
    expect((await ask(other.key, `GET ${path}`)).status).toBe(200);
    const own = await create({ project_id: projectId });
    expect((await ask(bound.key, `DELETE ${path}/${own.id}`)).status).toBe(204);
  });
});

test('a key that ends makes none that outlives it', async () => {
  const end = new Date(Date.now() + 3_600_000).toISOString();
  const ending = await create({ expires_at: end });
  expect(ending.expires_at).toBe(end);
  for (const expires_at of [null, new Date(Date.now() + 7_200_000).toISOString()]) {
    const { status, code } = await ask(ending.key, `POST ${path}`, { expires_at });
    expect([status, code]).toEqual([403, 'insufficient_scope']);
  }
  await create({ expires_at: end }, ending.key);
});

test('the keys of a deleted project are gone, and none is made for it any more', async () => {
  // The played catalog does not know yet: so it is with a call that came just before the delete.
  const gone = otherProjectId;
  const made = await create({ project_id: gone });
  expect((await ask(made.key, 'GET /api/v1/projects')).status).toBe(200);
  for (let round = 0; round < 2; round += 1) {
    const { body } = await gateway.bus.request(deleteProjectData('gateway'), { project_id: gone });
    expect(body).toEqual({ more: false });
  }
  expect((await ask(made.key, 'GET /api/v1/projects')).status).toBe(401);
  expect((await list()).map(({ id }) => id)).not.toContain(made.id);
  const late = await ask(bootstrapKey, `POST ${path}`, { project_id: gone });
  expect([late.status, late.code]).toEqual([404, 'project_not_found']);
});
