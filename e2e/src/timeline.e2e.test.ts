import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createApiClient, sendForJson, waitForScan, type ApiClient } from '@bomtrail/api-client';
import { eventually } from '@bomtrail/testkit';
import { auditFolder } from './audit/audit-folder';
import { npmDocument } from './support/examples';
import { repositoryRoot } from './support/real-data';
import { startTestStack, type TestStack } from './support/test-stack';

const scanMs = 30_000;
/** Of lodash 4.17.15, in the starter set; fixed in 4.17.21. */
const cve = 'CVE-2021-23337';
const vulnerable = npmDocument('t', ['lodash@4.17.15']);
const fixed = npmDocument('t', ['lodash@4.17.21']);

let running: TestStack;
let client: ApiClient;
let project: { id: string };

beforeAll(async () => {
  running = await startTestStack({ env: { BOMTRAIL_ADVISORY_SOURCE: 'starter' } });
  client = running.client;
  project = await client.createProject({ name: 'Timeline' });
});
afterAll(() => running?.stop());

async function upload(version: string, file: Uint8Array): Promise<string> {
  const named = { project_id: project.id, service_name: 'shop', version, file };
  const { id } = await client.upload(named);
  await waitForScan(client, id, scanMs);
  return id;
}

const list = (status: string, of = client) =>
  of.vulnerabilities({ project_id: project.id, cve_id: cve, status });

/** `opened 1, accepted`: the events, with the version of the SBOM. */
async function message(id: string): Promise<string> {
  const { timeline } = await client.vulnerability(id);
  return timeline
    .map(({ event, version }) => (version === undefined ? event : `${event} ${version}`))
    .join(', ');
}

test('the life of a vulnerability: opened, accepted, taken back, expired, fixed, back by a roll-back, and another past once an SBOM is deleted', async () => {
  const first = await upload('1', vulnerable);
  const [opened] = (await list('open')).items;
  const id = opened?.id ?? '';
  expect(opened).toMatchObject({
    status: 'open',
    reopened: 0,
    fixed_in: null,
    introduced_in: { sbom_id: first, version: '1', at: opened?.first_seen_at },
  });
  expect(await message(id)).toBe('opened 1');

  const accept = (rest: { expires_at?: string } = {}) =>
    client.accept({ project_id: project.id, vulnerability_id: id, reason: 'Not now.', ...rest });
  const acceptance = await accept();
  expect(await client.vulnerability(id)).toMatchObject({
    status: 'accepted',
    acceptances: [{ id: acceptance.id, service_id: null, reason: 'Not now.' }],
  });
  expect((await list('accepted')).items).toMatchObject([{ id, status: 'accepted' }]);
  expect(await message(id)).toBe('opened 1, accepted');
  await sendForJson(running.target, {
    method: 'DELETE',
    path: `/api/v1/vulnerabilities/acceptances/${acceptance.id}`,
  });
  expect(await message(id)).toBe('opened 1');
  await accept({ expires_at: new Date(Date.now() + 3_000).toISOString() });
  await eventually(async () => (await client.vulnerability(id)).timeline.length === 3, {
    what: 'the acceptance has expired',
  });
  expect(await message(id)).toBe('opened 1, accepted, acceptance_expired');
  expect((await list('Open')).total).toBe(1);

  const second = await upload('2', fixed);
  expect((await list('open,accepted')).total).toBe(0);
  expect((await list('FIXED')).items).toMatchObject([
    { id, status: 'fixed', sbom_id: first, fixed_in: { sbom_id: second, version: '2' } },
  ]);

  const third = await upload('1', vulnerable);
  expect(await client.vulnerability(id)).toMatchObject({
    status: 'open',
    reopened: 1,
    fixed_in: null,
    sbom_id: third,
    acceptances: [],
    introduced_in: { sbom_id: first },
  });
  expect(await message(id)).toBe('opened 1, accepted, acceptance_expired, fixed 2, reopened 1');

  await client.deleteSbom(second);
  expect(await client.vulnerability(id)).toMatchObject({ status: 'open', reopened: 0 });
  expect(await message(id)).toBe('opened 1, accepted, acceptance_expired');
  await client.deleteSbom(first);
  await client.deleteSbom(third);
  await expect(client.vulnerability(id)).rejects.toMatchObject({
    status: 404,
    code: 'vulnerability_not_found',
  });
  expect((await list('open,fixed,accepted')).total).toBe(0);
});

test('a key that is bound to another project sees neither the list nor the vulnerability', async () => {
  await upload('3', vulnerable);
  const id = (await list('open')).items[0]?.id ?? '';
  const other = await client.createProject({ name: 'Timeline, other' });
  const { key } = await sendForJson<{ key: string }>(running.target, {
    method: 'POST',
    path: '/api/v1/api-keys',
    body: { project_id: other.id, scopes: ['read'] },
  });
  const bound = createApiClient({ ...running.target, apiKey: key });
  expect((await list('open', bound)).total).toBe(0);
  expect((await bound.vulnerabilities({})).total).toBe(0);
  await expect(bound.vulnerability(id)).rejects.toMatchObject({ status: 404 });
  expect((await client.vulnerability(id)).id).toBe(id);
});

describe('The dependencies of a lock file, by the starter advisories', () => {
  /** A folder with a lock file of these packages. */
  async function locked(packages: Record<string, string>): Promise<string> {
    const folder = await mkdtemp(path.join(tmpdir(), 'bomtrail-locked-'));
    const entries = Object.entries(packages).map(([name, version]) => [
      `node_modules/${name}`,
      { version },
    ]);
    const own = { name: 'shop', version: '1.0.0', dependencies: packages };
    const lock = { lockfileVersion: 3, packages: { '': own, ...Object.fromEntries(entries) } };
    await writeFile(path.join(folder, 'package.json'), JSON.stringify(own));
    await writeFile(path.join(folder, 'package-lock.json'), JSON.stringify(lock));
    return folder;
  }

  test('are refused where one has a serious vulnerability', async () => {
    const folder = await locked({ lodash: '4.17.15', 'left-pad': '1.3.0' });
    const { verdict } = await auditFolder(client, folder, scanMs);
    await rm(folder, { recursive: true });
    const refused = verdict.refused.map(({ package_name }) => package_name);
    expect(new Set(refused)).toEqual(new Set(['lodash']));
  });

  test('of this product have none that is not accepted with a reason', async () => {
    const { verdict, scan } = await auditFolder(client, repositoryRoot, scanMs);
    expect([scan.scan_status, scan.advisory_data]).toEqual(['scanned', 'starter']);
    expect(scan.dependency_count).toBeGreaterThan(500);
    expect(verdict.refused).toEqual([]);
  });
});
