import { readVexDocument, readVulnerability } from '@bomtrail/messages';
import { eventually } from '@bomtrail/testkit';
import { finding } from '../testing/findings';
import { serveFakeVex, type FakeVex } from '../testing/fake-vex';
import { TestService } from '../testing/service';
import { startReconciler, type TestReconciler } from '../testing/start-reconciler';

let harness: TestReconciler;
let fake: FakeVex;

beforeAll(async () => {
  harness = await startReconciler({ sweepRate: 8 });
  fake = serveFakeVex(harness);
});
afterAll(() => harness?.stop());

const sbom = { root: 'image@1.0.0', components: ['bash@5.2'] };
const ofOne = finding('bash@5.2 UBUNTU-CVE-2026-1', { upstream: ['CVE-2026-1'] });
const ofTwo = finding('bash@5.2 USN-2', { upstream: ['CVE-2026-1', 'CVE-2026-2'] });
const notAffected = {
  '@context': 'https://openvex.dev/ns/v0.2.0',
  '@id': 'urn:not',
  author: 'Example',
  timestamp: '2026-01-01T00:00:00Z',
  version: 1,
  statements: [
    {
      vulnerability: { name: 'CVE-2026-1' },
      products: [{ '@id': 'pkg:npm/image@1.0.0' }],
      status: 'not_affected',
      justification: 'vulnerable_code_not_present',
    },
  ],
};

/** The statuses of the vulnerabilities of a service, by the advisory that created them. */
async function statusesIn(service: TestService): Promise<Record<string, string>> {
  const rows = await service.documents();
  return Object.fromEntries(rows.map(({ origin, status }) => [origin, status]));
}

test('a statement about a CVE decides about a notice that fixes it alone', async () => {
  const service = new TestService(harness);
  await fake.upload(service, sbom, ofOne, ofTwo);
  const { id, applied } = await fake.importVex(notAffected, service.project_id);
  expect(applied).toBe(1);
  expect(await statusesIn(service)).toEqual({
    'UBUNTU-CVE-2026-1': 'not_affected',
    'USN-2': 'open',
  });
  const [notice] = await service.documents();
  const asked = { vulnerability_id: notice?._id ?? '', of_project: null };
  const { status, acceptances } = (await harness.bus.request(readVulnerability, asked)).body;
  expect([status, acceptances.map(({ source }) => source)]).toEqual(['not_affected', ['vex']]);
  await fake.upload(service, sbom, ofTwo);
  const read = await harness.bus.request(readVexDocument, { vex_id: id, of_project: null });
  expect(read.body.results).toMatchObject([{ reason: 'vulnerability_not_found' }]);
});

test('a person’s decision about a CVE does not decide about a notice', async () => {
  const service = new TestService(harness);
  await service.scanned(harness.newSet('bash@5.2 CVE-2026-1', ofOne));
  const rows = await service.documents();
  await service.accept(rows.find(({ origin }) => origin === 'CVE-2026-1'));
  expect(await statusesIn(service)).toEqual({
    'CVE-2026-1': 'accepted',
    'UBUNTU-CVE-2026-1': 'open',
  });
});

test('rules that decide something else about the same statements are applied after an upgrade', async () => {
  const service = new TestService(harness);
  await fake.upload(service, sbom, ofOne);
  await fake.importVex(notAffected, service.project_id);
  const { service_id } = service;
  await harness.db
    .collection('tracked_vulnerabilities')
    .updateOne({ service_id }, { $set: { status: 'open' }, $unset: { decided: 1 } });
  await harness.db
    .collection<{ _id: string }>('vex_evaluations')
    .updateOne({ _id: service_id }, { $set: { rules: 3 } });
  await eventually(
    async () => expect(await statusesIn(service)).toEqual({ 'UBUNTU-CVE-2026-1': 'not_affected' }),
    { what: 'the statements are applied', within: 30_000 },
  );
});
