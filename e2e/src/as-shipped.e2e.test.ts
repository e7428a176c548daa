import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { waitForScan } from '@bomtrail/api-client';
import { repositoryRoot } from './support/real-data';
import { makeBundles, shippedServices } from './support/shipped';
import { startTestStack, type TestStack } from './support/test-stack';

/** The product from the bundles that its images start, behind the proxy, as people run it. */
const folder = mkdtempSync(path.join(tmpdir(), 'bomtrail-shipped-'));
let running: TestStack;

beforeAll(async () => {
  await makeBundles();
  running = await startTestStack({
    services: shippedServices(folder),
    proxied: true,
    // Without it an embedded run listens on this machine only.
    env: { HTTP_HOST: '0.0.0.0' },
  });
});

afterAll(async () => {
  await running?.stop();
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isDirectory()) chmodSync(path.join(entry.parentPath, entry.name), 0o755);
  }
  for (const name of readdirSync(folder)) chmodSync(path.join(folder, name), 0o755);
  rmSync(folder, { recursive: true, force: true });
});

/** A document of about 20 MB that does not pack well, with one component that is known to be vulnerable. */
function largeDocument(): Buffer {
  const lodash = {
    type: 'library',
    name: 'lodash',
    version: '4.17.15',
    purl: 'pkg:npm/lodash@4.17.15',
  };
  const components = Array.from({ length: 20 }, (_, n) => ({
    ...lodash,
    name: `lodash-${n}`,
    purl: `pkg:npm/lodash-${n}@1.0.0`,
    version: '1.0.0',
    description: randomBytes(750_000).toString('base64'),
  }));
  return Buffer.from(
    JSON.stringify({
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      version: 1,
      components: [lodash, ...components],
    }),
  );
}

test('a document of 20 MB comes through the proxy, is scanned, and comes back byte for byte', async () => {
  const { client, target } = running;
  const project = await client.createProject({ name: 'Shipped' });
  const file = largeDocument();
  const { id } = await client.upload({
    project_id: project.id,
    service_name: 'api',
    version: '1',
    file,
  });
  const detail = await waitForScan(client, id, 60_000);
  expect(detail.vulnerabilities.map(({ package_name }) => package_name)).toContain('lodash');
  const headers = { authorization: `Bearer ${target.apiKey}` };
  const download = await fetch(`${target.baseUrl}/api/v1/sboms/${id}/download`, { headers });
  expect(Buffer.from(await download.arrayBuffer()).equals(file)).toBe(true);
});

test('SPDX is read by the bundle, too', async () => {
  const { client } = running;
  const { id: project_id } = await client.createProject({ name: 'Shipped SPDX' });
  const file = readFileSync(
    path.join(repositoryRoot, 'examples/sboms/report-service-1.0.0.spdx.json'),
  );
  const { id } = await client.upload({ project_id, service_name: 'api', version: '1', file });
  const { format, dependencies } = await waitForScan(client, id, 60_000);
  const { packages } = JSON.parse(file.toString()) as { packages: { name: string }[] };
  expect(format).toBe('spdx');
  // Of PyPI, whose names are the same in either case.
  const names = packages.map(({ name }) => name.toLowerCase());
  for (const { name } of dependencies) expect(names).toContain(name);
  expect(dependencies.length).toBeGreaterThan(packages.length / 2);
});

test('the reference page and its document come from the bundle', async () => {
  const { target } = running;
  for (const file of ['/api/docs', '/api/docs/swagger-ui-bundle.js', '/api/openapi.json']) {
    expect([file, (await fetch(target.baseUrl + file)).status]).toEqual([file, 200]);
  }
});

test('/metrics at the base address is that of the host', async () => {
  const answer = await fetch(`${running.target.baseUrl}/metrics`);
  const message = await answer.text();
  expect(answer.status).toBe(200);
  for (const name of [
    'node_cpu_seconds_total',
    'node_memory_MemTotal_bytes',
    'node_filesystem_size_bytes',
    'node_load1',
    'node_network_receive_bytes_total',
    'node_disk_read_bytes_total',
  ]) {
    expect(message).toMatch(new RegExp(`^${name}(\\{.+\\})? \\d`, 'm'));
  }
  expect(message).not.toContain('bomtrail');
  expect(message).not.toContain('nodejs_');
});

test('nothing internal is reached through it', async () => {
  const { baseUrl } = running.target;
  const port = Number(new URL(baseUrl).port);
  for (const file of [
    '/internal',
    '/internal/metrics',
    '/metrics/gateway',
    '//metrics',
    '/debug',
    '/varz',
  ]) {
    expect([file, (await fetch(baseUrl + file)).status]).toEqual([file, 404]);
  }
  const addresses = JSON.parse(
    readFileSync(path.join(running.dataDir, 'servers.json'), 'utf8'),
  ) as Record<string, string>;
  const ports = running.stack.processes().flatMap(({ internalPort }) => internalPort ?? []);
  const inside = [...ports, ...Object.values(addresses).map((url) => Number(new URL(url).port))];
  expect(inside.length).toBeGreaterThan(8);
  for (const one of inside) {
    const host = `127.0.0.1:${one}`;
    expect(await onLine(port, `GET http://${host}/readyz/ HTTP/1.1\r\nHost: ${host}`)).toMatch(
      /^HTTP\/1\.1 404 /,
    );
    expect(await onLine(port, `CONNECT ${host} HTTP/1.1\r\nHost: ${host}`)).toMatch(
      /^HTTP\/1\.1 405 /,
    );
  }
});

test('from other machines only the proxy and gRPC are reached', async () => {
  const own = Object.values(networkInterfaces()).flat();
  const outward = own.find((one) => one?.family === 'IPv4' && !one.internal)?.address;
  const { stack, target } = running;
  const outer = [Number(new URL(target.baseUrl).port), stack.grpcPort];
  // A machine without a network has nobody to be hidden from.
  const at = outward ?? '127.0.0.1';
  for (const port of outer) expect([port, await isOpen(at, port)]).toEqual([port, true]);
  if (outward === undefined) return;
  for (const { internalPort } of stack.processes()) {
    if (internalPort !== null) expect(await isOpen(at, internalPort)).toBe(false);
  }
});

test('every image says what is in it, and under which licences', () => {
  const images = path.join(__dirname, '..', '..', 'dist', 'images');
  for (const image of readdirSync(images)) {
    const sbom = JSON.parse(readFileSync(path.join(images, image, 'sbom.cdx.json'), 'utf8')) as {
      components: { purl: string }[];
    };
    const purls = sbom.components.map(({ purl }) => purl.replace(/@[^@]*$/, ''));
    // One that each has.
    const known = image === 'cli' ? 'undici' : 'zod';
    expect(purls).toContain(`pkg:npm/${known}`);
    const notices = readFileSync(path.join(images, image, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
    expect(notices).toMatch(new RegExp(`^${known} \\d[^]*MIT License`, 'm'));
    expect(existsSync(path.join(images, image, 'LICENSE'))).toBe(true);
  }
});

/** What comes back for one request on a bare connection. */
function onLine(port: number, head: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(`${head}\r\nConnection: close\r\n\r\n`);
  return text(socket);
}

function isOpen(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host);
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
