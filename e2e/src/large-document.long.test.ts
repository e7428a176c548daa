import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { send, waitForScan, type UploadResult } from '@bomtrail/api-client';
import { startTestStack, type TestStack } from './support/test-stack';

const components = 100_000;
/** More than ingest reads at once. `npm run hostile` sends ten. */
const atOnce = 4;
const gibibyte = 1024 ** 3;

let running: TestStack;

beforeAll(async () => {
  running = await startTestStack({});
});

afterAll(async () => {
  await running?.stop();
});

/** About 40 MB that do not pack well: larger than a message and than a MongoDB document, packed too. */
function largeDocument(): Buffer {
  const listed = Array.from({ length: components }, (_, n) => {
    const purl = n === 0 ? 'pkg:npm/lodash@4.17.15' : `pkg:npm/package-${n}@1.0.${n}`;
    return {
      type: 'library',
      name: n === 0 ? 'lodash' : `package-${n}`,
      version: n === 0 ? '4.17.15' : `1.0.${n}`,
      purl,
      description: randomBytes(150).toString('base64'),
    };
  });
  const document = { bomFormat: 'CycloneDX', specVersion: '1.5', version: 1, components: listed };
  return Buffer.from(JSON.stringify(document));
}

/** The most memory that each process ever held, in bytes. */
function peaks(): Record<string, number> {
  return Object.fromEntries(
    running.stack.processes().map(({ name, pid }) => {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      return [name, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? NaN) * 1024];
    }),
  );
}

function expectEveryProcessBelowOneGibibyte(): void {
  for (const [name, bytes] of Object.entries(peaks())) {
    expect({ name, belowOneGibibyte: bytes < gibibyte }).toEqual({ name, belowOneGibibyte: true });
  }
}

test('documents of 40 MB with 100,000 components that arrive at once are all accepted and scanned, with every process under 1 GiB', async () => {
  const { client, stack } = running;
  const project = await client.createProject({ name: 'Large at once' });
  // They share their components and differ in their serial numbers: several documents, made once.
  const shared = largeDocument().subarray(1) as Uint8Array<ArrayBuffer>;
  expect(shared.length).toBeGreaterThan(30_000_000);
  const results = await Promise.all(
    Array.from({ length: atOnce }, async (_, n) => {
      const form = new FormData();
      form.set('project_id', project.id);
      form.set('service_name', `large ${n}`);
      form.set('file', new Blob([`{"serialNumber":"urn:uuid:${randomUUID()}",`, shared]), 'a.json');
      const path = '/api/v1/sboms/upload';
      const { baseUrl, apiKey } = stack;
      const response = await send({ baseUrl, apiKey }, { method: 'POST', path, body: form });
      return { status: response.status, body: (await response.json()) as UploadResult };
    }),
  );
  expect(results.map(({ status }) => status)).toEqual(Array.from({ length: atOnce }, () => 201));
  expect(new Set(results.map(({ body }) => body.sha256)).size).toBe(atOnce);
  for (const { body } of results) {
    expect(body.dependency_count).toBe(components);
    const detail = await waitForScan(client, body.id, 180_000);
    expect(detail.dependencies).toHaveLength(components);
    expect(detail.vulnerabilities.map(({ package_name }) => package_name)).toContain('lodash');
  }
  const [first] = results;
  const downloaded = Buffer.from(await client.download(first?.body.id ?? ''));
  expect(createHash('sha256').update(downloaded).digest('hex')).toBe(first?.body.sha256);
  expectEveryProcessBelowOneGibibyte();
}, 400_000);
