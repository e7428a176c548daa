import { countFindings, expireSboms, type SbomReference } from '@bomtrail/messages';
import { fakeCatalog, verified, type FakeCatalog } from '../testing/fake-catalog';
import { startReconciler, type TestReconciler } from '../testing/start-reconciler';

let harness: TestReconciler;
let catalog: FakeCatalog;
beforeAll(async () => {
  harness = await startReconciler();
  catalog = fakeCatalog(harness);
});
afterAll(() => harness?.stop());

/** A service whose first two SBOMs are expired, and their findings gone. */
async function withExpired() {
  const service = catalog.newService();
  const sets = [
    harness.newSet('a@1 GHSA-1', 'b@1 GHSA-2'),
    harness.newSet('b@1 GHSA-2'),
    harness.newSet('a@2 GHSA-1', 'c@1 GHSA-3'),
  ];
  const scans: SbomReference[] = [];
  for (const digest of sets) scans.push(await service.scanned(digest));
  const before = await service.documents();
  const { service_id } = service;
  const sbom_ids = scans.slice(0, 2).map(({ sbom_id }) => sbom_id);
  await harness.bus.request(expireSboms, { service_id, sbom_ids });
  for (const sbom of service.sboms.slice(0, 2)) sbom.expired = true;
  for (const digest of sets.slice(0, 2)) harness.scans.delete(digest);
  return { service, sets, scans, before };
}

test('R19 a re-scan reads no findings of expired SBOMs, and keeps what they contained', async () => {
  const { service, sets, scans, before } = await withExpired();
  harness.setScan(sets[2] ?? '', 'c@1 GHSA-3', 'd@1 GHSA-4');
  const last = scans[2] as SbomReference;
  await harness.finish({ ...last, lane: 'rescan', revision: 2 });
  expect(await service.states()).toEqual({
    'a GHSA-1': 'fixed',
    'b GHSA-2': 'fixed',
    'c GHSA-3': 'open',
    'd GHSA-4': 'open',
  });
  const after = await service.documents();
  const presenceOf = (documents: typeof after, origin: string) =>
    documents.find((one) => one.origin === origin)?.presence.map(({ from, to }) => [from, to]);
  expect(presenceOf(before, 'GHSA-1')).toEqual([
    [1, 1],
    [3, null],
  ]);
  expect(presenceOf(after, 'GHSA-1')).toEqual([[1, 1]]);
  expect(presenceOf(after, 'GHSA-2')).toEqual([[1, 2]]);
});

test('a check finds no differences, and a delete of an expired SBOM rewinds', async () => {
  const { service, scans } = await withExpired();
  expect((await verified(harness, { service })).totals).toMatchObject({
    differences: 0,
    undecided: 0,
  });
  await service.remove(scans[0] as SbomReference);
  expect(await service.states()).toEqual({
    'a GHSA-1': 'open',
    'b GHSA-2': 'fixed',
    'c GHSA-3': 'open',
  });
  expect((await verified(harness, { service })).totals).toMatchObject({
    differences: 0,
    undecided: 0,
  });
});

test('a gate compares with what an expired baseline contained', async () => {
  const { service, scans } = await withExpired();
  const named = ({ sbom_id, digest }: SbomReference) => ({ sbom_id, digest });
  const { body } = await harness.bus.request(countFindings, {
    service_id: service.service_id,
    sbom: named(scans[2] as SbomReference),
    baseline: named(scans[0] as SbomReference),
    fail_on: 'low',
    only_new: true,
  });
  // GHSA-1 was in the baseline, GHSA-3 was not.
  expect(body).toMatchObject({ failing: 1, untracked: 0 });
});
