import { eventually } from '@bomtrail/testkit';
import { MongoClient, type Collection } from 'mongodb';
import * as harness from '../testing/fake-data';
import type { FakeServices } from '../testing/fake-services';
import type { TestGateway } from '../testing/start-gateway';
import { tokenAudience, usualPeople, type TestProvider } from '../testing/start-oidc-provider';
import { startWithSignIn, type SignInGateway } from '../testing/start-with-sign-in';
import { TestBrowser } from '../testing/test-browser';
import { confirmedDays } from './domain/own-key';
import type { PersonDocument } from './store/people-store';

const { projectId, otherProjectId } = harness;
let running: SignInGateway | undefined;
let provider: TestProvider;
let gateway: TestGateway;
let fakes: FakeServices;
let mongo: MongoClient;
let people: Collection<PersonDocument>;
let kim: TestBrowser;

const staff = {
  ...usualPeople,
  ada: { name: 'Ada', email: 'ada@example.org', email_verified: true, groups: ['boss'] },
};

beforeAll(async () => {
  running = await startWithSignIn(
    [
      { group: 'team-a', role: 'triager', projects: ['web-shop'] },
      { group: 'readers', role: 'viewer' },
      { group: 'boss', role: 'administrator' },
    ],
    { OIDC_AUDIENCE: tokenAudience },
  );
  ({ provider, gateway, fakes } = running);
  mongo = await new MongoClient(gateway.servers.mongoUri).connect();
  people = mongo.db(`${gateway.servers.prefix}gateway`).collection('people');
});
afterAll(async () => {
  await mongo?.close();
  await running?.stop();
}, 30_000);
beforeEach(async () => {
  fakes.requested.length = 0;
  await provider.change(staff);
  kim = await signedIn('kim');
});

async function signedIn(login: string): Promise<TestBrowser> {
  const browser = new TestBrowser(gateway.port);
  await browser.signIn(login);
  return browser;
}

const path = '/api/v1/me/api-keys';
interface Made {
  id: string;
  key: string;
  code?: string;
}

async function make(body: object, by = kim): Promise<{ status: number; body: Made }> {
  const response = await by.change('POST', path, body);
  return { status: response.status, body: (await response.json()) as Made };
}

const newKey = async (body: object = { scopes: ['read'] }, by = kim): Promise<Made> =>
  (await make(body, by)).body;

async function call(key: string, address: string, init: RequestInit & { method?: string } = {}) {
  const headers = { ...init.headers, authorization: `Bearer ${key}` };
  const response = await gateway.call(init.method ?? 'GET', address, { ...init, headers });
  const text = await response.text();
  return { status: response.status, body: JSON.parse(text || '{}') as Record<string, unknown> };
}

const statusOf = async (key: string, address = '/api/v1/projects'): Promise<number> =>
  (await call(key, address)).status;

const decide = (key: string) =>
  call(key, '/api/v1/vulnerabilities/acceptances', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      project_id: projectId,
      vulnerability_id: harness.vulnerabilityId,
      reason: 'r',
    }),
  });

describe('AK5: a key of one’s own', () => {
  test('may do what its scopes and the roles of its person both allow, and names both', async () => {
    const read = await newKey({ name: 'Laptop', scopes: ['read'] });
    expect((await call(read.key, '/api/v1/me')).body).toMatchObject({
      kind: 'key',
      name: 'Laptop',
      person: { subject: 'kim' },
      rights: [
        { right: 'own', project_ids: null },
        { right: 'read', project_ids: [projectId] },
        { right: 'read-sbom', project_ids: [projectId] },
      ],
    });
    expect((await decide(read.key)).status).toBe(403);
    expect(await statusOf(read.key, `/api/v1/projects/${otherProjectId}`)).toBe(404);
    const write = await newKey({ scopes: ['write'], project_id: projectId });
    const decided = await decide(write.key);
    expect([decided.status, decided.body['created_by']]).toMatchObject([
      201,
      { key_prefix: write.key.slice(3, 15), person: { subject: 'kim' } },
    ]);
    // A triager manages nothing, whatever the scope says.
    const managing = await call(write.key, `/api/v1/projects/${projectId}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect([managing.status, managing.body['detail']]).toEqual([
      403,
      expect.stringContaining('kim@example.org'),
    ]);
    const ada = await signedIn('ada');
    const audit = await ada.fetch('/api/v1/audit?operation=createAcceptance&per_page=1');
    expect(((await audit.json()) as { items: object[] }).items).toMatchObject([
      { key_prefix: write.key.slice(3, 15), person: { subject: 'kim' } },
    ]);
  });

  test.each<[object, number, string]>([
    [{ scopes: ['admin'] }, 422, 'enum'],
    [{ scopes: [] }, 422, 'too_short'],
    [{}, 422, 'missing'],
    [{ scopes: ['read'], expires_at: '2099-01-01T00:00:00Z' }, 422, '90 days at most'],
    [{ scopes: ['read', 'upload'] }, 403, 'nothing of the scope upload'],
    [{ scopes: ['read'], project_id: otherProjectId }, 404, 'project_not_found'],
  ])('%j is refused', async (body, status, said) => {
    const made = await make(body);
    expect(made.status).toBe(status);
    expect(JSON.stringify(made.body)).toContain(said);
  });

  test('without an end ends after 90 days, and is listed and revoked by its person alone', async () => {
    const { id, key } = await newKey();
    const listed = async (by: TestBrowser) =>
      ((await (await by.fetch(path)).json()) as { items: { id: string; expires_at: string }[] })
        .items;
    const own = (await listed(kim)).find((one) => one.id === id);
    const days = (Date.parse(own?.expires_at ?? '') - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(90);
    const ada = await signedIn('ada');
    expect((await listed(ada)).filter((one) => one.id === id)).toEqual([]);
    expect((await ada.change('DELETE', `${path}/${id}`)).status).toBe(404);
    expect(await statusOf(key)).toBe(200);
    // Administrators see and revoke every key.
    const all = await (await ada.fetch('/api/v1/api-keys?per_page=200')).json();
    expect((all as { items: object[] }).items).toContainEqual(
      expect.objectContaining({ id, owner: expect.objectContaining({ subject: 'kim' }) as object }),
    );
    expect((await kim.change('DELETE', `${path}/${id}`)).status).toBe(204);
    expect(await statusOf(key)).toBe(401);
  });

  test('makes, lists and revokes no keys', async () => {
    const { id, key } = await newKey({ scopes: ['read', 'write'] });
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ scopes: ['read'] });
    for (const at of [path, '/api/v1/api-keys'])
      expect((await call(key, at, { method: 'POST', headers, body })).status).toBe(403);
    expect(await statusOf(key, path)).toBe(403);
    expect((await call(key, `${path}/${id}`, { method: 'DELETE' })).status).toBe(403);
  });

  test('loses what its person loses, when the provider says so at their next sign-in', async () => {
    const { key } = await newKey();
    expect(await statusOf(key)).toBe(200);
    await provider.change({ ...staff, kim: { ...staff.kim, groups: [] } });
    const now = await signedIn('kim');
    expect((await now.fetch('/api/v1/me')).status).toBe(200);
    expect(await statusOf(key)).toBe(403);
    await provider.change(staff);
    await signedIn('kim');
    expect(await statusOf(key)).toBe(200);
  });

  test('does nothing once the provider has not confirmed its person for two weeks', async () => {
    const { key } = await newKey();
    const long = new Date(Date.now() - (confirmedDays * 86_400_000 + 60_000));
    await people.updateMany({}, { $set: { confirmed_at: long } });
    await eventually(async () => expect(await statusOf(key)).toBe(403), {
      what: 'the cached person is read again',
      within: 10_000,
    });
    const refused = await call(key, '/api/v1/projects');
    expect([refused.status, refused.body['detail']]).toEqual([
      403,
      expect.stringContaining('Sign in again'),
    ]);
    expect((await call(key, '/api/v1/me')).body['rights']).toHaveLength(1);
    await signedIn('kim');
    expect(await statusOf(key)).toBe(200);
  }, 30_000);

  test('of somebody who uses access tokens alone follows these, and a sign-in counts more', async () => {
    const bearer = { sub: 'robin', name: 'Robin' };
    const at = Math.floor(Date.now() / 1000);
    const token = await provider.token({ ...bearer, groups: ['readers'], iat: at - 60 });
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const body = JSON.stringify({ scopes: ['read'] });
    const made = await gateway.call('POST', path, { headers, body });
    const { key } = (await made.json()) as Made;
    expect(await statusOf(key)).toBe(200);
    await call(await provider.token({ ...bearer, groups: [], iat: at }), '/api/v1/me');
    expect(await statusOf(key)).toBe(403);
    // An older token that is still valid gives nothing back.
    await call(token, '/api/v1/me');
    expect(await statusOf(key)).toBe(403);

    const own = await newKey();
    await call(await provider.token({ groups: [], iat: at + 60 }), '/api/v1/me');
    expect(await statusOf(own.key)).toBe(200);
  });
});

describe('AU9: an administrator', () => {
  const peopleOf = async (by: TestBrowser) =>
    (
      (await (await by.fetch('/api/v1/people?per_page=200')).json()) as {
        items: { id: string; person: { subject: string }; sessions: number; own_keys: number }[];
      }
    ).items;

  test('sees who was here, and ends all sessions of one person, if wanted with their keys', async () => {
    const { key } = await newKey();
    const second = await signedIn('kim');
    const ada = await signedIn('ada');
    const one = (await peopleOf(ada)).find(({ person }) => person.subject === 'kim');
    expect(one?.sessions).toBeGreaterThanOrEqual(2);
    expect(one?.own_keys).toBeGreaterThanOrEqual(1);
    const end = (query = '') => ada.change('DELETE', `/api/v1/people/${one?.id}/sessions${query}`);
    expect(await (await end()).json()).toEqual({ sessions_ended: one?.sessions, keys_revoked: 0 });
    for (const browser of [kim, second])
      expect((await browser.fetch('/api/v1/me')).status).toBe(401);
    expect((await ada.fetch('/api/v1/me')).status).toBe(200);
    expect(await statusOf(key)).toBe(200);
    expect(await (await end('?keys=true')).json()).toEqual({
      sessions_ended: 0,
      keys_revoked: one?.own_keys,
    });
    expect(await statusOf(key)).toBe(401);
    const ended = { resources: { person_id: one?.id }, outcome: 'succeeded' };
    await eventually(
      async () => {
        const audit = await ada.fetch('/api/v1/audit?operation=endSessions&per_page=1');
        expect(((await audit.json()) as { items: object[] }).items).toMatchObject([
          { ...ended, person: { subject: 'ada' } },
        ]);
      },
      { what: 'the end is in the audit log' },
    );
    const again = await signedIn('kim');
    expect((await again.fetch('/api/v1/me')).status).toBe(200);
  });

  test('alone may do so', async () => {
    expect((await kim.fetch('/api/v1/people')).status).toBe(403);
    const ended = await kim.change('DELETE', `/api/v1/people/${projectId}/sessions`);
    expect(ended.status).toBe(403);
    const ada = await signedIn('ada');
    const unknown = await ada.change('DELETE', `/api/v1/people/${projectId}/sessions`);
    expect([unknown.status, await unknown.json()]).toMatchObject([
      404,
      { code: 'person_not_found' },
    ]);
  });
});
