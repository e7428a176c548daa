import { SignJWT, exportSPKI, UnsecuredJWT, type JWTPayload } from 'jose';
import { operationRights } from './domain/operation-rights';
import { rightsOfRole, roles } from './domain/rights';
import * as harness from '../testing/fake-data';
import { fakeServices, type FakeServices } from '../testing/fake-services';
import { startGateway, type TestGateway } from '../testing/start-gateway';
import {
  providerKey,
  startOidcProvider,
  tokenAudience,
  type TestProvider,
} from '../testing/start-oidc-provider';

const { projectId, otherProjectId } = harness;
let provider: TestProvider;
let gateway: TestGateway;
let fakes: FakeServices;

beforeAll(async () => {
  provider = await startOidcProvider();
  gateway = await startGateway({
    OIDC_ISSUER: provider.issuer,
    OIDC_AUDIENCE: tokenAudience,
    OIDC_ROLES: JSON.stringify([
      { group: 'team-a', role: 'triager', projects: ['web-shop'] },
      { group: 'team-b', role: 'viewer', projects: [otherProjectId, projectId] },
      { group: 'robots', role: 'uploader' },
      { group: 'boss', role: 'administrator' },
      ...roles.map((role) => ({ group: `${role}-of-all`, role })),
    ]),
  });
  fakes = fakeServices(gateway.bus);
});
afterAll(async () => {
  await gateway?.stop();
  await provider?.stop();
});
beforeEach(() => void (fakes.requested.length = 0));

async function call(
  token: string,
  path = '/api/v1/me',
  init: RequestInit & { method?: string } = {},
) {
  const headers = { ...init.headers, authorization: `Bearer ${token}` };
  const response = await gateway.call(init.method ?? 'GET', path, { ...init, headers });
  const body = (await response.json()) as Record<string, unknown>;
  return { status: response.status, code: body['code'], body };
}

const seconds = () => Math.floor(Date.now() / 1000);

describe('An access token', () => {
  test('of the provider says who the caller is and what they may do', async () => {
    const { status, body } = await call(
      await provider.token({ name: 'Kim', email: 'kim@example.org' }),
    );
    expect(status).toBe(200);
    expect(body).toMatchObject({
      kind: 'person',
      person: { issuer: provider.issuer, subject: 'kim', name: 'Kim', email: 'kim@example.org' },
      roles: [{ role: 'triager', project_ids: [projectId] }],
      rights: expect.arrayContaining([{ right: 'decide', project_ids: [projectId] }]),
    });
  });

  test('that the provider has issued itself is accepted', async () => {
    const response = await fetch(`${provider.issuer}/token`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from('robot:robot-secret').toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ grant_type: 'client_credentials', resource: tokenAudience }),
    });
    const { access_token } = (await response.json()) as { access_token: string };
    const { status, body } = await call(access_token);
    expect([status, body['roles']]).toEqual([200, [{ role: 'uploader', project_ids: null }]]);
  });

  test('within the clock skew is accepted, beyond it not', async () => {
    const at = seconds();
    expect((await call(await provider.token({ exp: at - 10 }))).status).toBe(200);
    expect((await call(await provider.token({ nbf: at + 10 }))).status).toBe(200);
    expect((await call(await provider.token({ exp: at - 60 }))).code).toBe('invalid_token');
    expect((await call(await provider.token({ nbf: at + 60 }))).code).toBe('invalid_token');
  });

  const refused: [string, () => Promise<string>][] = [
    ['is expired', () => provider.token({ exp: seconds() - 3_600 })],
    ['never expires', () => provider.token({ exp: undefined } as JWTPayload)],
    ['has no subject', () => provider.token({ sub: undefined } as JWTPayload)],
    ['is for another audience', () => provider.token({ aud: 'another-api' })],
    ['is of another issuer', () => provider.token({ iss: 'https://evil.example' })],
    [
      'is signed by a key that the provider does not have',
      async () => provider.token({}, await providerKey()),
    ],
    [
      'names a key of the provider, and is signed by another one',
      async () => {
        const other = await providerKey();
        return provider.token({}, { ...other, jwk: { ...other.jwk, kid: provider.key.jwk.kid } });
      },
    ],
    [
      'is not signed (alg none)',
      async () =>
        new UnsecuredJWT({ groups: ['boss'] })
          .setIssuer(provider.issuer)
          .setAudience(tokenAudience)
          .setSubject('kim')
          .setExpirationTime('5m')
          .encode(),
    ],
    [
      'is signed by the public key as a shared secret (HS256)',
      async () =>
        new SignJWT({ groups: ['boss'] })
          .setProtectedHeader({ alg: 'HS256', kid: provider.key.jwk.kid })
          .setIssuer(provider.issuer)
          .setAudience(tokenAudience)
          .setSubject('kim')
          .setExpirationTime('5m')
          .sign(Buffer.from(await exportSPKI(provider.key.publicKey))),
    ],
    [
      'was changed after it was signed',
      async () => {
        const [head, body = '', signature] = (await provider.token()).split('.');
        const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as object;
        const changed = JSON.stringify({ ...claims, groups: ['boss'] });
        return [head, Buffer.from(changed).toString('base64url'), signature].join('.');
      },
    ],
  ];

  test.each(refused)('that %s is refused', async (_what, token) => {
    const { status, code } = await call(await token());
    expect([status, code]).toEqual([401, 'invalid_token']);
  });

  test('of a rotated key is accepted, of the withdrawn one refused', async () => {
    const before = provider.key;
    expect((await call(await provider.token())).status).toBe(200);
    await provider.rotate();
    for (let attempt = 0; attempt < 40; attempt += 1) {
      if ((await call(await provider.token())).status === 200) break;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
    expect((await call(await provider.token())).status).toBe(200);
    expect((await call(await provider.token({}, before))).code).toBe('invalid_token');
  }, 30_000);
});

test('a person without a role sees nothing, and is told whom to ask', async () => {
  const token = await provider.token({ sub: 'sam', email: 'sam@example.org', groups: ['other'] });
  const { status, code, body } = await call(token, '/api/v1/projects');
  expect([status, code]).toEqual([403, 'insufficient_scope']);
  expect(body['detail']).toBe(
    'sam@example.org has no role here: ask an administrator of this installation to map you or one of your groups to a role.',
  );
  expect((await call(token)).body).toMatchObject({ roles: [], rights: [{ right: 'own' }] });
  expect(fakes.requested).toEqual([]);
});

test('a role that lacks a right is told which one has it', async () => {
  const { status, body } = await call(await provider.token(), `/api/v1/projects/${projectId}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  expect([status, body['detail']]).toEqual([
    403,
    'This call needs the role maintainer or administrator; kim has triager. Ask an administrator of this installation for it.',
  ]);
});

/** What the right of an operation decides before anything else of the request is judged. */
test.each(roles)(
  'a %s may call every operation of the contract that the role allows, and no other one',
  async (role) => {
    const token = await provider.token({ sub: role, groups: [`${role}-of-all`] });
    for (const [operationId, right] of Object.entries(operationRights)) {
      const operation = gateway.contract.operations.get(operationId);
      if (!operation || right === null) continue;
      // No UUID: refused (422) before anything is done.
      const path = operation.path.replace(/\{\w+\}/g, 'none');
      const response = await fetch(`http://127.0.0.1:${gateway.port}${path}`, {
        method: operation.method,
        headers: { authorization: `Bearer ${token}` },
      });
      const isAllowed = rightsOfRole[role].includes(right);
      expect([operationId, response.status !== 403]).toEqual([operationId, isAllowed]);
      await response.arrayBuffer();
    }
  },
);

test('lists of a person with several projects are narrowed to these', async () => {
  const token = await provider.token({ groups: ['team-b'] });
  await call(token, '/api/v1/vulnerabilities/active');
  await call(token, '/api/v1/vulnerabilities/acceptances');
  const narrowed = fakes.requested
    .filter(({ subject }) => /list/.test(subject))
    .map(({ body }) => body['project_id']);
  const both = [otherProjectId, projectId];
  expect(narrowed).toEqual([both, both]);
});

test('a person has no key to read, and reads who they are', async () => {
  const token = await provider.token();
  const own = await call(token, '/api/v1/api-keys/self');
  expect([own.status, own.code]).toEqual([404, 'api_key_not_found']);
  expect((await call(token)).status).toBe(200);
});

test('a decision and its audit entry name the person', async () => {
  const token = await provider.token({ name: 'Kim', email: 'kim@example.org' });
  const body = JSON.stringify({
    project_id: projectId,
    vulnerability_id: harness.vulnerabilityId,
    reason: 'r',
  });
  const headers = { 'content-type': 'application/json' };
  const path = '/api/v1/vulnerabilities/acceptances';
  const made = await call(token, path, { method: 'POST', headers, body });
  const person = { subject: 'kim', name: 'Kim', email: 'kim@example.org' };
  expect(made.status).toBe(201);
  expect(made.body['created_by']).toMatchObject({ key_prefix: '', name: 'Kim', person });
  const boss = await provider.token({ sub: 'ada', groups: ['boss'] });
  const { body: audit } = await call(boss, '/api/v1/audit?operation=createAcceptance&per_page=1');
  const [newest] = audit['items'] as object[];
  expect(newest).toMatchObject({
    key_id: null,
    person: { issuer: provider.issuer, ...person },
    operation: 'createAcceptance',
  });
});

test('while the provider is away, known keys go on, and a key works as ever', async () => {
  expect((await call(await provider.token())).status).toBe(200);
  await provider.stop();
  expect((await call(await provider.token())).status).toBe(200);
  expect((await gateway.call('GET', '/api/v1/me')).status).toBe(200);
  await provider.start();
});
