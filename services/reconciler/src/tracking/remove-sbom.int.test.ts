import { setTimeout as delay } from 'node:timers/promises';
import { AppError, removeSbom, scanCompleted, type SbomReference } from '@bomtrail/messages';
import { TestService } from '../testing/service';
import { startReconciler, type TestReconciler } from '../testing/start-reconciler';

let harness: TestReconciler;

beforeAll(async () => {
  harness = await startReconciler({ processes: 2 });
});
afterEach(() => {
  harness.beforeScanResponse = async () => {};
});
afterAll(() => harness?.stop());

const axios = 'axios@0.1.0 GHSA-2';
const lodash = 'lodash@1.0.0 GHSA-1';

describe('an SBOM that is removed', () => {
  test('removes what only it contained, and what comes back later has its old id', async () => {
    const service = new TestService(harness);
    const both = harness.newSet(lodash, axios);
    await service.scanned(harness.newSet(lodash));
    const second = await service.scanned(both);
    const [, vulnerability] = await service.documents();
    await service.remove(second);
    expect(await service.states()).toEqual({ 'lodash GHSA-1': 'open', '- GHSA-2': 'vanished' });
    expect((await service.activeList()).map(({ package_name }) => package_name)).toEqual([
      'lodash',
    ]);
    const third = await service.scanned(both);
    expect(await service.activeList()).toMatchObject([
      { package_name: 'axios', id: vulnerability?._id, first_seen_at: third.created_at },
      { package_name: 'lodash' },
    ]);
  });

  test('leaves what was before it was uploaded, in new alert periods', async () => {
    const service = new TestService(harness);
    // What was away is open again, though its log does not say so any more.
    const documents = async () =>
      (await service.documents()).map(
        ({ alert_periods: _alertPeriods, ...vulnerability }) => vulnerability,
      );
    await service.scanned(harness.newSet(lodash, axios));
    await service.scanned(harness.newSet(axios));
    const before = await documents();
    const list = await service.activeList();
    await service.remove(await service.scanned(harness.newSet(lodash, 'vue@1.0.0 GHSA-3')));
    expect((await documents()).slice(0, before.length)).toEqual(before);
    expect(await service.activeList()).toEqual(list);
  });

  test('and was the only one leaves an empty list, from which the next one starts', async () => {
    const service = new TestService(harness);
    const digest = harness.newSet(lodash);
    await service.remove(await service.scanned(digest));
    expect(await service.activeList()).toEqual([]);
    const next = await service.scanned(digest);
    expect(await service.activeList()).toMatchObject([
      { sbom_id: next.sbom_id, first_seen_at: next.created_at },
    ]);
  });

  test('does not come back when its scan ends late', async () => {
    const service = new TestService(harness);
    await service.scanned(harness.newSet(lodash));
    const late = service.upload(harness.newSet(axios));
    await service.remove(late);
    await harness.bus.publish(scanCompleted, late);
    await harness.finished();
    await service.scanned(harness.newSet(lodash));
    expect(await service.states()).toEqual({ 'lodash GHSA-1': 'open' });
    expect(harness.reconciled.some(({ sbom_id }) => sbom_id === late.sbom_id)).toBe(false);
  });

  test('does not come back when it is removed while its scan is read', async () => {
    const service = new TestService(harness);
    const digest = harness.newSet(lodash);
    const scan = service.upload(digest);
    const removals: Promise<void>[] = [];
    harness.beforeScanResponse = async (requested) => {
      if (requested !== digest) return;
      if (removals.length === 0) removals.push(service.remove(scan));
      // Where the same process answers both, the removal takes its turn after the scan.
      await Promise.race([...removals, delay(500)]);
    };
    await harness.bus.publish(scanCompleted, scan);
    await harness.finished();
    await service.scanned(harness.newSet(axios));
    expect(removals).toHaveLength(1);
    await Promise.all(removals);
    expect((await service.activeList()).map(({ package_name }) => package_name)).toEqual(['axios']);
  });

  test('can be removed again, which changes nothing', async () => {
    const service = new TestService(harness);
    await service.scanned(harness.newSet(lodash));
    const scan = await service.scanned(harness.newSet(axios));
    await service.remove(scan);
    const before = await service.documents();
    await Promise.all([service.remove(scan), service.remove(scan)]);
    expect(await service.documents()).toEqual(before);
  });

  test('stays while the scanner cannot say what the others contain', async () => {
    const service = new TestService(harness);
    await service.scanned(harness.newSet(lodash));
    const scan = await service.scanned(harness.newSet(axios));
    const before = await service.documents();
    harness.beforeScanResponse = async () => {
      throw new AppError('service_unavailable');
    };
    const { service_id, project_id } = service;
    await expect(
      harness.bus.request(removeSbom, { sbom_id: scan.sbom_id, service_id, project_id }),
    ).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(await service.documents()).toEqual(before);
  });
});

describe('several SBOMs of a service that are removed at once', () => {
  test('leave what a recomputation gives, and one scan is read for what is shown now', async () => {
    const service = new TestService(harness);
    const [bumped, both] = [harness.newSet('lodash@1.1.0 GHSA-1'), harness.newSet(lodash, axios)];
    const sets = [
      both,
      harness.newSet(),
      harness.newSet(lodash),
      bumped,
      both,
      harness.newSet(lodash),
    ];
    const scans: SbomReference[] = [];
    for (const set of sets) scans.push(await service.scanned(set));
    const read: string[] = [];
    harness.beforeScanResponse = async (digest) => void read.push(digest);
    const never = service.upload(harness.newSet(axios));
    await service.removeAll([...[0, 1, 4, 5].flatMap((n) => scans[n] ?? []), never]);
    expect(read).toEqual([bumped]);
    harness.beforeScanResponse = async () => {};
    const [stored, recomputed] = await service.storedAndRecomputed();
    expect(stored).toEqual(recomputed);
    expect(await service.activeList()).toMatchObject([
      { package_version: '1.1.0', sbom_id: scans[3]?.sbom_id, first_seen_at: scans[2]?.created_at },
    ]);
    const before = await service.documents();
    await service.removeAll(scans.slice(0, 2));
    expect(await service.documents()).toEqual(before);
  });

  test('with a pending advisory change bring the service to the current findings', async () => {
    const service = new TestService(harness);
    const retained = harness.newSet(lodash);
    await service.scanned(retained);
    const last = await service.scanned(harness.newSet(lodash, 'vue@1.0.0 GHSA-3'));
    harness.setScan(retained, axios);
    await service.remove(last, false);
    expect((await service.activeList()).map(({ package_name }) => package_name)).toEqual(['axios']);
  });
});
