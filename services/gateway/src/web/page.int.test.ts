import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGateway, type TestGateway } from '../testing/start-gateway';
import { readPageFiles } from './page-files';
import { webPagePolicy } from './page-policy';

const html = '<!doctype html><title>page</title>';
const script = `/* ${'x'.repeat(5_000)} */`;
const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

let folder: string;
let gateway: TestGateway;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'page-test-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), html);
  writeFileSync(join(folder, 'assets', 'main-1a2b.js'), script);
  gateway = await startGateway({}, { page: readPageFiles(folder) });
});
afterAll(async () => {
  await gateway?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const get = (path: string, headers: Record<string, string> = browser, method = 'GET') =>
  fetch(`http://127.0.0.1:${gateway.port}${path}`, { method, headers });

test.each(['/', '/findings?severity=high', '/projects/web-shop', '/settings/keys'])(
  '%s is the page for a browser, without a key, and is asked for anew each time',
  async (path) => {
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(html);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': webPagePolicy,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      vary: expect.stringContaining('Accept'),
    });
  },
);

test.each([
  ['GET', '/', { accept: '*/*' }],
  ['GET', '/findings', { accept: 'application/json' }],
  ['POST', '/', browser],
  ['GET', '/nothing', { accept: '*/*' }],
  ['GET', '/api/nothing', browser],
  ['GET', '/assets/other.js', browser],
  ['GET', '/assets/..%2Findex.html', browser],
])('%s %s with %j is the 404 of the contract', async (method, path, headers) => {
  const response = await get(path, headers, method);
  expect(response.status).toBe(404);
  expect(await response.json()).toEqual({
    detail: 'There is nothing at this path.',
    code: 'not_found',
  });
});

test('a mistyped address is the page for a browser, which says that there is nothing', async () => {
  const response = await get('/finding?severity=high');
  expect(response.status).toBe(404);
  expect(await response.text()).toBe(html);
  expect(response.headers.get('content-security-policy')).toBe(webPagePolicy);
});

test('the API answers a browser as anyone else', async () => {
  const response = await get('/api/v1/projects');
  expect(response.status).toBe(401);
  expect((await get('/healthz')).headers.get('content-type')).toContain('application/json');
});

test('a hashed file may be kept for ever, packed or not', async () => {
  for (const encoding of ['gzip', 'identity']) {
    const response = await get('/assets/main-1a2b.js', { 'accept-encoding': encoding });
    expect(await response.text()).toBe(script);
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(response.headers.get('content-encoding')).toBe(encoding === 'gzip' ? 'gzip' : null);
  }
});

test('HEAD is the page without its body', async () => {
  const response = await get('/', browser, 'HEAD');
  expect(response.status).toBe(200);
  expect(await response.text()).toBe('');
});

test('a setting switches it off', async () => {
  const without = await startGateway({ WEB_PAGE: 'false' }, { page: readPageFiles(folder) });
  const response = await fetch(`http://127.0.0.1:${without.port}/`, { headers: browser });
  expect(response.status).toBe(404);
  await without.stop();
});

test('a folder without a page gives none', () => {
  expect(readPageFiles(join(folder, 'assets'))).toBeUndefined();
});
