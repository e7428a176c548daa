import {
  reconcilerPackageRescans,
  reconcilerRescans,
  reconcilerUploads,
  rescanRequested,
  type SbomReference,
} from '@bomtrail/messages';
import { eventually } from '@bomtrail/testkit';
import { accept } from '../testing/deletion-helpers';
import {
  fakeCatalog,
  verified,
  type FakeCatalog,
  type RegisteredService,
} from '../testing/fake-catalog';
import { startReconciler, type TestReconciler } from '../testing/start-reconciler';

let harness: TestReconciler;
let catalog: FakeCatalog;

beforeAll(async () => {
  harness = await startReconciler();
  catalog = fakeCatalog(harness);
});
afterAll(() => harness?.stop());

const lodash = 'lodash@1.0.0 GHSA-1 CVE-1';
const axios = 'axios@0.1.0 GHSA-2';
const vue = 'vue@1.0.0 GHSA-9';

const own = [reconcilerUploads, reconcilerRescans, reconcilerPackageRescans];
/** What work does, whatever comes of it, and what a sweep writes when a process starts. */
const countersOfWork = ['version', 'changes', 'marked_at', 'risk_pending'];

/** Every document of what the reconciler keeps of its services, without what counts its own writes. */
async function everything(): Promise<Record<string, unknown[]>> {
  const names = ['service_states', 'sbom_versions', 'tracked_vulnerabilities', 'acceptances'];
  const retained: Record<string, unknown[]> = {};
  for (const name of [...names, 'vulnerability_details']) {
    const documents = await harness.db.collection(name).find().sort({ _id: 1 }).toArray();
    retained[name] = documents.map((document) =>
      Object.fromEntries(Object.entries(document).filter(([key]) => !countersOfWork.includes(key))),
    );
  }
  return retained;
}

/** Every message that was ever sent is delivered once more, and handled. */
async function replay(): Promise<number> {
  const { manager } = harness.bus.connection;
  await harness.stopProcesses();
  for (const { durable } of own) await manager.consumers.delete('EVENTS', durable);
  await harness.startProcess();
  const infos = async () =>
    Promise.all(own.map(({ durable }) => manager.consumers.info('EVENTS', durable)));
  await eventually(
    async () => (await infos()).every((one) => one.num_pending + one.num_ack_pending === 0),
    { what: 'every message is handled again' },
  );
  return (await infos()).reduce((sum, { delivered }) => sum + delivered.consumer_seq, 0);
}

async function requestRescan(scans: SbomReference[], revision: number, packages: string[] | null) {
  const sboms = scans.map(
    ({ lane: _lane, revision: _revision, attempt: _attempt, ...sbom }) => sbom,
  );
  const before = harness.packageRevisions.length;
  await harness.bus.publish(rescanRequested, { sboms, revision, packages });
  await eventually(() => harness.packageRevisions.length > before, {
    what: 'the services are up to date',
  });
}

test('a replay of all messages changes no stored data', async () => {
  const services: RegisteredService[] = Array.from({ length: 5 }, () => catalog.newService());
  const sets = [
    harness.newSet(lodash, axios),
    harness.newSet(axios),
    harness.newSet(lodash, vue),
    harness.newSet('lodash@1.1.0 GHSA-1 CVE-1'),
  ];
  const newest = await Promise.all(
    services.map(async (service, n) => {
      const uploads = [0, 1, 2, 3, 4, 5].map((turn) =>
        service.upload(sets[(turn * 3 + n) % 4] ?? ''),
      );
      // The scans of some end in another order than their uploads.
      for (const turn of n % 2 ? [0, 1, 2, 3, 4, 5] : [1, 0, 3, 2, 5, 4]) {
        await harness.finish(uploads[turn] as SbomReference);
      }
      await service.remove(uploads[4] as SbomReference);
      await accept(harness, service, { service: n % 2 === 0 });
      return uploads[5] as SbomReference;
    }),
  );
  for (const digest of sets) harness.revisions.set(digest, 2);
  harness.setScan(sets[0] ?? '', axios, vue);
  harness.setScan(sets[3] ?? '', 'lodash@1.1.0 GHSA-1 CVE-1 CVE-4');
  await requestRescan(newest, 2, ['npm|lodash', 'npm|vue']);
  for (const digest of sets) harness.revisions.set(digest, 3);
  harness.setScan(sets[1] ?? '', vue);
  const again = newest.map((scan) => ({ ...scan, lane: 'rescan' as const, revision: 3 }));
  await harness.finish(...again);
  expect((await verified(harness)).verdicts).toEqual([]);

  const before = await everything();
  expect(before['tracked_vulnerabilities']?.length).toBeGreaterThan(10);
  // Thirty uploads, five re-scans, one message for many services.
  expect(await replay()).toBeGreaterThanOrEqual(36);
  const after = await everything();
  expect(after).toEqual(before);
  expect((await verified(harness)).verdicts).toEqual([]);
});
