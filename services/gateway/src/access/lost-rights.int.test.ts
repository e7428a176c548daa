import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { sbomsFinished } from '@bomtrail/messages';
import { eventually } from '@bomtrail/testkit';
import type { Collection } from 'mongodb';
import { tokenHash } from '../sign-in/seal';
import type { SessionDocument } from '../sign-in/store/sessions-store';
import * as harness from '../testing/fake-data';
import type { FakeServices } from '../testing/fake-services';
import { connectGrpc } from '../testing/grpc-client';
import type { TestGateway } from '../testing/start-gateway';
import { pageOrigin, tokenAudience, type TestProvider } from '../testing/start-oidc-provider';
import { startWithSignIn, type SignInGateway } from '../testing/start-with-sign-in';
import { TestBrowser } from '../testing/test-browser';

const { projectId, sbomId } = harness;
let running: SignInGateway | undefined;
let provider: TestProvider;
let gateway: TestGateway;
let fakes: FakeServices;
let sessions: Collection<SessionDocument>;
let browser: TestBrowser;

beforeAll(async () => {
  running = await startWithSignIn(
    [
      { group: 'team-a', role: 'maintainer', projects: ['web-shop'] },
      { group: 'robots', role: 'uploader', projects: ['web-shop'] },
      { group: 'readers', role: 'viewer' },
    ],
    { OIDC_AUDIENCE: tokenAudience },
  );
  ({ provider, gateway, fakes, sessions } = running);
});
afterAll(() => running?.stop());
beforeEach(async () => {
  fakes.scanStatus = 'scanned';
  fakes.requested.length = 0;
  fakes.uploads.length = 0;
  fakes.beforeExport = async () => {};
  browser = new TestBrowser(gateway.port);
  await browser.signIn('kim');
});

const cookie = 'bomtrail_session';
const tokenOf = () => browser.of(pageOrigin).get(cookie) ?? '';

/** As another gateway stores it when the provider no longer says that the person is in the group. */
async function loseGroup(): Promise<void> {
  const _id = tokenHash(tokenOf());
  const session = await sessions.findOne({ _id });
  const facts = { ...session!.facts, groups: [], claims: {} };
  await sessions.updateOne({ _id }, { $set: { facts } });
  // A cached session is at most this old.
  await new Promise((resolve) => setTimeout(resolve, 5_200));
}

const refused = { status: 403, body: { code: 'insufficient_scope' } };

describe('a person who loses a group while a request is under way', () => {
  test('uploads nothing', async () => {
    const field = '--x\r\nContent-Disposition: form-data; name="project_id"\r\n\r\n';
    const file = '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n';
    const halves = [`${field}${projectId}\r\n${file}{`, '}\r\n--x--\r\n'] as const;
    const sending = httpRequest(`http://127.0.0.1:${gateway.port}/api/v1/sboms/upload`, {
      method: 'POST',
      headers: {
        cookie: `${cookie}=${tokenOf()}`,
        'x-bomtrail-request': '1',
        'sec-fetch-site': 'same-origin',
        'content-type': 'multipart/form-data; boundary=x',
        'content-length': Buffer.byteLength(halves.join('')),
        expect: '100-continue',
      },
    });
    sending.flushHeaders();
    await once(sending, 'continue');
    sending.write(halves[0]);
    await loseGroup();
    sending.end(halves[1]);
    const [response] = (await once(sending, 'response')) as [IncomingMessage];
    expect({ status: response.statusCode, body: await json(response) }).toMatchObject(refused);
    expect(fakes.uploads).toEqual([]);
  });

  test('is told nothing after a wait', async () => {
    fakes.scanStatus = 'pending';
    const pending = browser.fetch(`/api/v1/sboms/${sbomId}?wait=60`);
    await eventually(() => fakes.requested.length > 0, { what: 'the SBOM is read' });
    await loseGroup();
    fakes.scanStatus = 'scanned';
    gateway.bus.broadcast(sbomsFinished, { sbom_ids: [sbomId] });
    const response = await pending;
    expect({ status: response.status, body: await response.json() }).toMatchObject(refused);
  });

  test('gets no further part of a list, which ends as broken off', async () => {
    let reads = 0;
    fakes.beforeExport = async () => {
      reads += 1;
      if (reads === 2) await loseGroup();
    };
    const response = await browser.fetch('/api/v1/vulnerabilities?format=csv');
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  });

  test('gets the whole list otherwise, also from a slow service', async () => {
    let reads = 0;
    fakes.beforeExport = async () => {
      reads += 1;
      if (reads === 2) await new Promise((resolve) => setTimeout(resolve, 1_500));
    };
    const list = await (await browser.fetch('/api/v1/vulnerabilities?format=csv')).text();
    expect(list.trim().split('\r\n')).toHaveLength(3);
  });
});

describe('gRPC with an access token', () => {
  const document = { project_slug: 'web-shop', sbom_json: '{}' };
  const upload = async (token: string) => {
    const client = connectGrpc(gateway.grpcPort);
    const { status, trailing } = await client.upload(document, {
      authorization: `Bearer ${token}`,
    });
    client.close();
    return { status, code: trailing['bomtrail-code'] };
  };
  const now = () => Math.floor(Date.now() / 1000);

  test('uploads as the person', async () => {
    const token = await provider.token({ sub: 'ann', name: 'Ann', groups: ['robots'] });
    expect((await upload(token)).status).toBe('OK');
    expect(fakes.uploads).toHaveLength(1);
    expect(JSON.stringify(fakes.requested)).toContain('"Ann"');
  });

  test.each([
    ['of a role without the right', { groups: ['readers'] }, 'PERMISSION_DENIED'],
    ['of somebody without a role', { groups: [] }, 'PERMISSION_DENIED'],
    ['that has expired', { groups: ['robots'], exp: now() - 60 }, 'UNAUTHENTICATED'],
    ['for somebody else', { groups: ['robots'], aud: 'urn:other' }, 'UNAUTHENTICATED'],
    ['of another issuer', { groups: ['robots'], iss: 'https://x.example' }, 'UNAUTHENTICATED'],
  ])('%s is refused', async (...[, claims, status]) => {
    expect((await upload(await provider.token(claims))).status).toBe(status);
    expect(fakes.uploads).toEqual([]);
  });
});
