import { waitForScan, type ApiClient, type SbomDetail } from '@bomtrail/api-client';
import {
  makeAdvisoryFolder,
  type AdvisoryFolder,
  type ModelAdvisory,
} from '@bomtrail/reference-model';
import { eventually } from '@bomtrail/testkit';
import { npmDocument } from './support/examples';
import { startTestStack, type TestStack } from './support/test-stack';

/** In full: `BOMTRAIL_TEST_LEDGER_UPLOADS=500 BOMTRAIL_TEST_LEDGER_VERSIONS=50`. */
const { BOMTRAIL_TEST_LEDGER_UPLOADS, BOMTRAIL_TEST_LEDGER_VERSIONS } = process.env;
const uploads = Number(BOMTRAIL_TEST_LEDGER_UPLOADS ?? 64);
const furtherVersions = Number(BOMTRAIL_TEST_LEDGER_VERSIONS ?? 10);
const clients = 32;
const patienceMs = 120_000;

let running: TestStack;
let folder: AdvisoryFolder;
let client: ApiClient;

const bumped = Array.from({ length: 60 }, (_, n) => `exact-bumped@1.0.${n}`);
const one: ModelAdvisory = {
  id: 'GHSA-exact-one',
  aliases: [],
  affects: bumped,
  severity: 'critical',
  withdrawn: false,
};
const other = { ...one, id: 'CVE-2026-4711', severity: 'medium' as const };
const exact: ModelAdvisory = { ...one, id: 'GHSA-exact-held', affects: ['exact-held@1.0.0'] };
const rare: ModelAdvisory = { ...one, id: 'GHSA-exact-rare', affects: ['exact-rare@1.0.0'] };

beforeAll(async () => {
  folder = await makeAdvisoryFolder();
  for (const advisory of [one, other, exact, rare]) await folder.put(advisory);
  const env = { BOMTRAIL_ADVISORY_SOURCE: folder.path, LOG_LEVEL: 'error' };
  running = await startTestStack({ env });
  client = running.client;
});

afterAll(async () => {
  await running?.stop();
  await folder?.discard();
});

async function upload(
  project_id: string,
  of: { service_name: string; version: string; packages: string[] },
): Promise<SbomDetail> {
  const { service_name, version, packages } = of;
  const file = npmDocument(service_name, packages);
  const { id } = await client.upload({ project_id, service_name, version, file });
  return waitForScan(client, id, patienceMs);
}

/** All that the API shows of a project. */
async function seen(project_id: string): Promise<unknown> {
  const [all, active, summary, history, acceptances, services] = await Promise.all([
    client.vulnerabilities({ project_id, per_page: 200, sort: 'cve_id', order: 'asc' }),
    client.allActive({ project_id, sort: 'cve_id' }),
    client.summary({ project_id }),
    client.history(project_id),
    client.listAcceptances(project_id),
    client.listServices(project_id),
  ]);
  const details = await Promise.all(history.items.map(({ id }) => client.sbom(id)));
  const vulnerabilities = details.map((detail) => detail.vulnerabilities);
  return { all, active, summary, history, acceptances, services, vulnerabilities };
}

test('what was uploaded and deleted is as if it had never been uploaded: rows, their dates, and totals', async () => {
  const { id } = await client.createProject({ name: 'Never uploaded' });
  const service_name = 'shop';
  const first = ['exact-held@1.0.0', 'exact-bumped@1.0.0'];
  await upload(id, { service_name, version: '1', packages: first });
  await upload(id, { service_name, version: '2', packages: ['exact-bumped@1.0.1'] });
  const before = await seen(id);
  for (const packages of [[], ['exact-held@1.0.0', 'exact-rare@1.0.0'], ['exact-bumped@1.0.2']]) {
    const { id: sbomId } = await upload(id, { service_name, version: '3', packages });
    expect(await seen(id)).not.toEqual(before);
    await client.deleteSbom(sbomId);
    expect(await seen(id)).toEqual(before);
  }
});

test(`one acceptance covers ${furtherVersions} further versions with package bumps, also after its vulnerability became one with another`, async () => {
  const { id: project_id } = await client.createProject({ name: 'Accepted for good' });
  const packages = (n: number): string[] => [bumped[n] ?? ''];
  await upload(project_id, { service_name: 'shop', version: '0', packages: packages(0) });
  const before = await client.allActive({ project_id });
  expect(before.map(({ cve_id }) => cve_id).sort()).toEqual([other.id, one.id]);
  const accepted = before.find(({ cve_id }) => cve_id === one.id);
  await client.accept({ project_id, vulnerability_id: accepted?.id ?? '', reason: 'Known.' });

  const open = async (): Promise<string[]> =>
    (await client.allActive({ project_id })).map(({ cve_id }) => cve_id);
  const half = Math.ceil(furtherVersions / 2);
  for (let n = 1; n <= furtherVersions; n++) {
    await upload(project_id, { service_name: 'shop', version: `${n}`, packages: packages(n) });
    expect([n, await open()]).toEqual([n, n <= half ? [other.id] : []]);
    if (n !== half) continue;
    await folder.put({ ...one, aliases: [other.id] });
    await eventually(async () => expect(await open()).toEqual([]), {
      what: 'both are one, which is accepted',
    });
  }
  const all = await client.vulnerabilities({ project_id });
  expect(all.items).toMatchObject([{ status: 'accepted', cve_id: other.id }]);
  expect((await client.vulnerability(accepted?.id ?? '')).id).toBe(all.items[0]?.id);
}, 400_000);

test(`${uploads} uploads from ${clients} clients to one service: none is refused, none is lost or there twice, and the rows are those of the last one`, async () => {
  const { id: project_id } = await client.createProject({ name: 'Thirty-two clients' });
  const kinds = [['exact-held@1.0.0'], ['exact-held@1.0.0', 'exact-rare@1.0.0'], []];
  const ids = new Set<string>();
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < uploads) {
      const n = next++;
      const file = npmDocument('shop', kinds[n % kinds.length] ?? []);
      const named = { project_id, service_name: 'shop', version: '1', file };
      ids.add((await client.upload(named)).id);
    }
  };
  await Promise.all(Array.from({ length: clients }, work));

  const stored: { id: string; created_at: string | null }[] = [];
  for (let page = 1; stored.length === (page - 1) * 200; page++)
    stored.push(...(await history(project_id, page)));
  expect(ids.size).toBeLessThanOrEqual(uploads);
  expect(stored.map(({ id }) => id).sort()).toEqual([...ids].sort());
  const times = stored.map(({ created_at }) => created_at ?? '');
  expect(times).toEqual([...times].sort().reverse());

  const oldestFirst = [...stored].reverse();
  const details: SbomDetail[] = [];
  for (const { id } of oldestFirst) details.push(await waitForScan(client, id, patienceMs));
  // By the duplicate rule no document follows itself.
  const hashes = details.map(({ sha256 }) => sha256);
  expect(hashes.filter((hash, index) => hash === hashes[index - 1])).toEqual([]);
  const all = await client.vulnerabilities({ project_id, sort: 'cve_id', order: 'asc' });
  const listed = all.items.map(({ cve_id, status, first_seen_at, sbom_id }) => {
    return { cve_id, status, first_seen_at, sbom_id };
  });
  expect(listed).toEqual(
    [exact, rare].map(({ id: cve_id, affects }) => {
      const containing = details.filter(({ dependencies }) =>
        dependencies.some(({ name, version }) => affects.includes(`${name}@${version}`)),
      );
      const status = containing.at(-1) === details.at(-1) ? 'open' : 'fixed';
      const first_seen_at = containing[0]?.created_at;
      return { cve_id, status, first_seen_at, sbom_id: containing.at(-1)?.id };
    }),
  );
}, 900_000);

async function history(
  projectId: string,
  page: number,
): Promise<{ id: string; created_at: string | null }[]> {
  const response = await running.target.fetch(
    `${running.target.baseUrl}/api/v1/projects/${projectId}/history?per_page=200&page=${page}`,
    { headers: { authorization: `Bearer ${running.target.apiKey}` } },
  );
  return ((await response.json()) as { items: { id: string; created_at: string | null }[] }).items;
}
