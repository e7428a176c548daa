import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { projectId } from '../testing/fake-data';
import { fakeServices } from '../testing/fake-services';
import { startGateway, type TestGateway } from '../testing/start-gateway';
import { securityHeaders } from '@bomtrail/http-edge';
import { pagePolicy } from './security-headers';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway();
  fakeServices(gateway.bus);
});
afterAll(() => gateway?.stop());

const origin = { origin: 'https://elsewhere.example' };

/** What the answer says to browsers. */
async function headersOf(method: string, path: string, headers: Record<string, string> = {}) {
  const response = await fetch(`http://127.0.0.1:${gateway.port}${path}`, {
    method,
    headers,
    redirect: 'manual',
  });
  await response.arrayBuffer();
  return response.headers;
}

test.each([
  ['GET', '/healthz'],
  ['GET', '/api/openapi.json'],
  ['GET', '/api/v1/projects'],
  ['POST', '/api/v1/projects'],
  ['GET', `/api/v1/projects/${projectId}`],
  ['GET', '/api/v1/%zz'],
  ['GET', '/nothing'],
  ['PUT', '/healthz'],
  ['OPTIONS', '/api/v1/projects'],
  ['GET', '/api/docs/'],
  ['GET', '/api/docs/nothing.js'],
  ['GET', '/api/docs/swagger-ui.css'],
])(
  '%s %s tells browsers what not to do, and lets no other origin read it',
  async (method, path) => {
    const headers = await headersOf(method, path, origin);
    expect(Object.fromEntries(headers)).toMatchObject(
      Object.fromEntries(
        Object.entries(securityHeaders).map(([key, value]) => [key.toLowerCase(), value]),
      ),
    );
    expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
    expect(headers.has('strict-transport-security')).toBe(false);
    expect(headers.has('x-powered-by')).toBe(false);
  },
);

test('so does an answer to what is no HTTP', async () => {
  const socket = connect(gateway.port, '127.0.0.1');
  socket.write('NONSENSE\r\n\r\n');
  const response = await text(socket);
  for (const [name, value] of Object.entries(securityHeaders)) {
    expect(response).toContain(`${name}: ${value}\r\n`);
  }
});

test('a preflight of another origin is told nothing that would let its request through', async () => {
  const headers = await headersOf('OPTIONS', '/api/v1/projects', {
    ...origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization',
  });
  expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
});

describe('The API page', () => {
  test('runs its own scripts only, and none that stands in the page itself', async () => {
    const response = await fetch(`http://127.0.0.1:${gateway.port}/api/docs`);
    expect(response.headers.get('content-security-policy')).toBe(pagePolicy);
    const html = await response.text();
    const scripts = [...html.matchAll(/<script([^>]*)>([^<]*)/g)];
    expect(scripts.length).toBeGreaterThan(0);
    for (const [, attributes, inline] of scripts) {
      expect(attributes).toMatch(/ src="docs\/[\w.-]+"/);
      expect(inline?.trim()).toBe('');
    }
    expect(html).not.toMatch(/ on\w+="/);
  });
});

test('TLS in front is insisted on when that is set', async () => {
  const behindTls = await startGateway({ HSTS_MAX_AGE_SECONDS: 31_536_000 });
  const { headers } = await behindTls.call('GET', '/healthz');
  expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
  await behindTls.stop();
});
