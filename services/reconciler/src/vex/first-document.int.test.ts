import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@bomtrail/testkit';
import { noteStoredVex } from '../decisions/store/acceptance-epochs';
import { serveFakeVex, type FakeVex } from '../testing/fake-vex';
import { TestService } from '../testing/service';
import { startReconciler, type TestReconciler } from '../testing/start-reconciler';

let harness: TestReconciler;
let fake: FakeVex;

beforeAll(async () => {
  harness = await startReconciler({ processes: 2, sweepRate: 8 });
  fake = serveFakeVex(harness);
});
afterAll(() => harness?.stop());

const sbom = { root: 'app@1.0.0', components: ['lodash@1.0.0'] };
const finding = 'lodash@1.0.0 GHSA-1 CVE-1';
let documents = 0;
const document = (): object => ({
  '@context': 'https://openvex.dev/ns/v0.2.0',
  '@id': `https://example.com/first/${(documents += 1)}`,
  author: 'Example',
  timestamp: '2026-01-01T00:00:00Z',
  version: 1,
  statements: [
    {
      vulnerability: { name: 'CVE-1' },
      products: [{ '@id': 'pkg:npm/app@1.0.0' }],
      status: 'not_affected',
      justification: 'vulnerable_code_not_present',
    },
  ],
});

async function rowOf(service: TestService) {
  const [row] = await service.documents();
  return { status: row?.status, periods: Object.keys(row?.alert_periods ?? {}) };
}

test('the first document of a project decides about what any process applies after it, many at once', async () => {
  const first = new TestService(harness);
  await fake.upload(first, sbom, finding);
  await fake.importVex(document(), first.project_id);
  const services = Array.from({ length: 6 }, () => new TestService(harness, first.project_id));
  await Promise.all([...services, ...services].map((one) => fake.upload(one, sbom, finding)));
  for (const service of services)
    expect(await rowOf(service)).toEqual({ status: 'not_affected', periods: [] });
});

test('a document that is imported while the first scan of a project is applied decides soon after', async () => {
  const service = new TestService(harness);
  let begin = (): void => {};
  let release = (): void => {};
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const released = new Promise<void>((resolve) => (release = resolve));
  harness.beforeScanResponse = async () => {
    begin();
    await released;
  };
  const uploading = fake.upload(service, sbom, finding);
  await begun;
  // The service is loaded meanwhile: there is no document.
  await delay(300);
  harness.beforeScanResponse = async () => {};
  await fake.importVex(document(), service.project_id);
  release();
  await uploading;
  const decided = async () => expect((await rowOf(service)).status).toBe('not_affected');
  await eventually(decided, { within: 60_000, what: 'the document has decided' });
}, 90_000);

test('documents that an earlier release stored are noted at the start', async () => {
  const service = new TestService(harness);
  await fake.upload(service, sbom, finding);
  await fake.importVex(document(), service.project_id);
  const epochs = harness.db.collection<{ _id: string; epoch: number }>('acceptance_epochs');
  const before = await epochs.findOne({ _id: service.project_id });
  await epochs.updateOne({ _id: service.project_id }, { $unset: { vex: '' } });
  await noteStoredVex(harness.db);
  expect(await epochs.findOne({ _id: service.project_id })).toEqual({ ...before, vex: true });
});
