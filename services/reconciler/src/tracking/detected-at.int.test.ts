import { readVulnerability, type SbomReference } from '@bomtrail/messages';
import { TestService } from '../testing/service';
import { startReconciler, type TestReconciler } from '../testing/start-reconciler';

let harness: TestReconciler;
beforeAll(async () => {
  harness = await startReconciler();
});
afterAll(() => harness?.stop());

const at = (minute: number): string => new Date(2e12 + minute * 60_000).toISOString();

/** A reconciled SBOM whose scan ended at this minute. */
async function scanned(service: TestService, digest: string, minute: number) {
  const scan: SbomReference = { ...service.upload(digest), scanned_at: at(minute) };
  await harness.finish(scan);
  return scan;
}

test('the list shows since when it shows a vulnerability, whatever is recomputed', async () => {
  const service = new TestService(harness);
  const [old, next] = [harness.newSet('lodash@1 GHSA-1'), harness.newSet('lodash@2 GHSA-1')];
  const times = async () =>
    (await service.activeList()).map(({ cve_id, detected_at }) => [cve_id, detected_at]).sort();

  const first = await scanned(service, old, 5);
  const second = await scanned(service, next, 9);
  expect(await times()).toEqual([['GHSA-1', at(5)]]);

  harness.setScan(next, 'lodash@2 GHSA-1', 'lodash@2 GHSA-2');
  await harness.finish({ ...second, lane: 'rescan', revision: 2, changed_at: at(30) });
  expect(await times()).toEqual([
    ['GHSA-1', at(5)],
    ['GHSA-2', at(30)],
  ]);

  await service.remove(first);
  expect(await times()).toEqual([
    ['GHSA-1', at(9)],
    ['GHSA-2', at(30)],
  ]);
  const vulnerability = (await service.activeList()).find(({ cve_id }) => cve_id === 'GHSA-1');
  const query = { vulnerability_id: vulnerability?.id ?? '', of_project: null };
  expect((await harness.bus.request(readVulnerability, query)).body.detected_at).toBe(at(9));
});

test('a fixed vulnerability keeps the time of its last presence, and has another one when it returns', async () => {
  const service = new TestService(harness);
  const [bad, good] = [harness.newSet('qs@1 GHSA-3'), harness.newSet()];
  await scanned(service, bad, 1);
  await scanned(service, good, 2);
  const [fixed] = await service.documents();
  expect(fixed).toMatchObject({ status: 'fixed', detected_at: new Date(at(1)) });
  await scanned(service, bad, 3);
  const [open] = await service.documents();
  expect(open).toMatchObject({
    status: 'open',
    presence: [{ from: 1, to: 1, detected_at: new Date(at(1)) }, { from: 3 }],
    detected_at: new Date(at(3)),
  });
});
