import {
  createProject,
  listProjects,
  pingOf,
  type PageOf,
  type ProjectView,
} from '@bomtrail/messages';
import { handles } from '@bomtrail/messaging';
import { eventually } from '@bomtrail/testkit';
import { project } from '../testing/fake-data';
import { bootstrapKey, startGateway, type TestGateway } from '../testing/start-gateway';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({ PUBLIC_URL: 'https://bomtrail.example' });
});
afterAll(() => gateway?.stop());

test('without the services behind it the product is not ready, and a call is 503', async () => {
  const [ready, call] = await Promise.all([
    gateway.call('GET', '/readyz'),
    gateway.call('GET', '/api/v1/services?project_id=0197c1a0-5b7e-7c3a-9d40-2f6b8f1e0a11'),
  ]);
  expect(ready.status).toBe(503);
  expect(await ready.json()).toMatchObject({
    status: 'not_ready',
    checks: { mongodb: 'up', nats: 'up', ingest: 'down', catalog: 'down' },
  });
  expect(call.status).toBe(503);
  expect(call.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(await call.json()).toMatchObject({ code: 'service_unavailable' });
});

test('NATS is down where a service says that it stores nothing, and up again when it does', async () => {
  let stores = false;
  gateway.bus.serve(
    handles(pingOf('catalog'), async () => ({ body: { ready: true as const, stores } })),
  );
  const checks = async () => {
    const response = await gateway.call('GET', '/readyz');
    return (await response.json()) as object;
  };
  expect(await checks()).toMatchObject({
    status: 'not_ready',
    checks: { nats: 'down', catalog: 'up' },
  });
  stores = true;
  expect(await checks()).toMatchObject({ checks: { nats: 'up', catalog: 'up' } });
});

test('health touches nothing', async () => {
  expect(await (await gateway.call('GET', '/healthz')).json()).toEqual({
    status: 'ok',
    version: '1.0.1',
  });
});

test('a failure says nothing to the client and everything in one log line', async () => {
  gateway.bus.serve(
    handles(listProjects, async () => ({ body: JSON.parse('null') as PageOf<ProjectView> })),
  );
  const response = await gateway.call('GET', '/api/v1/projects?page=1&per_page=7');
  expect(response.status).toBe(500);
  expect(await response.json()).toEqual({
    detail: 'Internal Server Error',
    code: 'internal_error',
  });
  expect(gateway.errors).toHaveLength(1);
  expect(gateway.errors[0]).toMatchObject({
    event: 'exception',
    type: 'TypeError',
    module: 'page-envelope',
    line: expect.any(Number) as number,
    pid: process.pid,
    thread: 'main',
    traceback: expect.stringMatching(/page-envelope\.ts:\d+/) as string,
    request_method: 'GET',
    request_path: '/api/v1/projects',
    request_query: 'page=1&per_page=7',
    request_client: '127.0.0.1',
  });
  expect(JSON.stringify(gateway.errors)).not.toContain('bt_');

  await gateway.call('GET', `/api/v1/projects?name=${bootstrapKey}&token=hunter2`);
  expect(gateway.errors[1]).toMatchObject({ request_query: 'name=bt_bootstrap000_…&token=…' });
});

test('the served contract names the public address', async () => {
  const document = (await (await gateway.call('GET', '/api/openapi.json')).json()) as {
    servers: { url: string }[];
  };
  expect(document.servers.map(({ url }) => url)).toEqual(['/', 'https://bomtrail.example']);
});

test('a stop finishes the request in flight and takes no new one', async () => {
  const stopping = await startGateway();
  let release: () => void = () => {};
  const untilReleased = new Promise<void>((resolve) => (release = resolve));
  let requested: () => void = () => {};
  const arrived = new Promise<void>((resolve) => (requested = resolve));
  const response = { ...project, slug: 's' };
  stopping.bus.serve(
    handles(createProject, async (fields) => {
      requested();
      await untilReleased;
      return { body: { ...response, ...fields } };
    }),
  );
  const inFlight = stopping.call('POST', '/api/v1/projects', {
    body: '{"name":"n"}',
    headers: { 'content-type': 'application/json' },
  });
  await arrived;
  const stopped = stopping.stopService();
  await eventually(() => expect(stopping.call('GET', '/healthz')).rejects.toThrow(), {
    what: 'the port takes no new request',
  });
  release();
  expect((await inFlight).status).toBe(201);
  await stopped;
  await stopping.stop();
});
