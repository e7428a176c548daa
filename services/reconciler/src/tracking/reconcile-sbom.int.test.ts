import { listActive, scanCompleted, summariseActive, type SbomReference } from '@bomtrail/messages';
import { eventually } from '@bomtrail/testkit';
import { servicesOver, TestService } from '../testing/service';
import { startReconciler, type TestReconciler } from '../testing/start-reconciler';

let harness: TestReconciler;

beforeAll(async () => {
  harness = await startReconciler({ processes: 2 });
});
afterAll(() => harness?.stop());

const axios = 'axios@0.1.0 GHSA-2';
const lodash = 'lodash@1.0.0 GHSA-1 CVE-1';

describe('the first SBOM of a service', () => {
  test('opens a tracked vulnerability for each vulnerability; list and summary agree', async () => {
    const service = new TestService(harness);
    const scan = await service.scanned(harness.newSet(lodash, axios));
    const { service_id, project_id } = service;
    const { body: list } = await harness.bus.request(listActive, {
      project_id,
      page: 1,
      per_page: 50,
      sort: 'package_name',
      order: 'desc',
    });
    expect(list.total).toBe(2);
    expect(list.items).toMatchObject([
      {
        package_name: 'lodash',
        package_version: '1.0.0',
        package_versions: ['1.0.0'],
        cve_id: 'CVE-1',
        aliases: ['GHSA-1', 'CVE-1'],
        advisory_ids: ['GHSA-1'],
        title: 'About CVE-1',
        severity: 'high',
        cvss_score: 7.5,
        status: 'open',
        service_id,
        project_id,
        sbom_id: scan.sbom_id,
        first_seen_at: scan.created_at,
        last_seen_at: scan.created_at,
      },
      { package_name: 'axios', cve_id: 'GHSA-2' },
    ]);
    const { body: summary } = await harness.bus.request(summariseActive, { project_id });
    expect(summary).toEqual({
      critical: 0,
      high: 2,
      medium: 0,
      low: 0,
      none: 0,
      unknown: 0,
      total: 2,
    });
  });

  test('whose component set is not evaluated yet is no clean one: its result waits for the scanner', async () => {
    const service = new TestService(harness);
    const digest = harness.newSet(lodash);
    const found = harness.scans.get(digest) ?? [];
    harness.scans.delete(digest);
    const scan = service.upload(digest);
    let requested = 0;
    harness.beforeScanResponse = async (one) => void (one === digest && requested++);
    await harness.bus.publish(scanCompleted, scan);
    await eventually(() => requested >= 2, { what: 'the scanner is asked again' });
    expect(harness.reconciled.some(({ sbom_id }) => sbom_id === scan.sbom_id)).toBe(false);
    harness.scans.set(digest, found);
    await harness.finish(scan);
    expect(await service.states()).toEqual({ 'lodash GHSA-1': 'open' });
  });
});

describe('the next SBOM', () => {
  test('without a package fixes its vulnerability; when it is deleted, the vulnerability is open again with its id', async () => {
    const service = new TestService(harness);
    const first = await service.scanned(harness.newSet(lodash, axios));
    const before = await service.activeList();
    const second = await service.scanned(harness.newSet(lodash));
    expect(await service.states()).toEqual({ 'lodash GHSA-1': 'open', 'axios GHSA-2': 'fixed' });
    expect(await service.activeList()).toMatchObject([
      { package_name: 'lodash', sbom_id: second.sbom_id, first_seen_at: first.created_at },
    ]);
    await service.remove(second);
    expect(await service.activeList()).toEqual(before);
  });

  test('that changes nothing writes no vulnerability, and becomes the latest in the list', async () => {
    const service = new TestService(harness);
    const digest = harness.newSet(lodash, axios);
    await service.scanned(digest);
    const before = await service.documents();
    const changes = harness.db.collection('tracked_vulnerabilities').watch();
    try {
      await changes.tryNext();
      const second = await service.scanned(digest);
      const third = await service.scanned(harness.newSet(lodash, axios));
      const marker = new TestService(harness);
      await marker.scanned(digest);
      const seen = await changes.next();
      const changed = 'documentKey' in seen ? seen.documentKey._id : null;
      expect((await marker.documents()).map(({ _id }) => _id)).toContain(changed);
      expect(await service.documents()).toEqual(before);
      expect(third.seq).toBe(second.seq + 1);
      expect((await service.activeList()).map(({ sbom_id }) => sbom_id)).toEqual([
        third.sbom_id,
        third.sbom_id,
      ]);
    } finally {
      await changes.close();
    }
  });

  test('gives the same vulnerabilities when its scan ends before the one of its predecessor', async () => {
    const sets = [harness.newSet(lodash, axios), harness.newSet(lodash), harness.newSet(axios)];
    const inOrder = new TestService(harness);
    for (const digest of sets) await inOrder.scanned(digest);
    const [expected] = await inOrder.storedAndRecomputed();
    for (const order of [
      [1, 0, 2],
      [2, 1, 0],
      [2, 0, 1],
    ]) {
      const service = new TestService(harness);
      const uploads = sets.map((digest) => service.upload(digest));
      for (const index of order) await harness.finish(uploads[index] as SbomReference);
      const ids = new Map(uploads.map(({ sbom_id, seq }) => [sbom_id, seq]));
      const [stored, recomputed] = await service.storedAndRecomputed();
      expect(stored).toEqual(recomputed);
      expect(withoutSbomIds(stored)).toEqual(withoutSbomIds(expected));
      expect((await service.activeList()).map(({ sbom_id }) => ids.get(sbom_id))).toEqual([3]);
    }
  });

  test('and all that follow, taken by two processes in any order, give what a recomputation gives', async () => {
    const packages = ['a@1.0.0 GHSA-1 CVE-1', 'a@1.1.0 GHSA-1 CVE-1', 'b@2.0.0 GHSA-2', axios];
    const sets = [0, 1, 2, 3, 4, 5].map((n) =>
      harness.newSet(...packages.filter((_, index) => (n * 7 + 3) & (1 << index))),
    );
    const service = new TestService(harness);
    const uploads = Array.from({ length: 40 }, (_, n) =>
      service.upload(sets[(n * 5 + (n >> 2)) % sets.length] ?? ''),
    );
    await harness.finish(...shuffled(uploads));
    const [stored, recomputed] = await service.storedAndRecomputed();
    expect(stored).toEqual(recomputed);
    expect(stored.length).toBeGreaterThanOrEqual(3);
    expect(
      await harness.db
        .collection('sbom_versions')
        .countDocuments({ service_id: service.service_id }),
    ).toBe(40);
    for (const { sbom_id } of await service.activeList())
      expect(sbom_id).toBe(uploads[39]?.sbom_id);
  });
});

test('two SBOMs of one service whose scans end at the same moment in two processes are both taken', async () => {
  const [none, one, two] = [harness.newSet(), harness.newSet(lodash), harness.newSet(axios)];
  for (let round = 0; round < 4; round++) {
    const services = Array.from({ length: 15 }, () => new TestService(harness));
    await harness.finish(...services.map((service) => service.upload(none)));
    await harness.finish(
      ...services.flatMap((service) => [service.upload(one), service.upload(two)]),
    );
    for (const service of services) {
      const [stored, recomputed] = await service.storedAndRecomputed();
      expect(stored).toEqual(recomputed);
    }
  }
});

describe('a message that comes again', () => {
  test('changes nothing', async () => {
    const service = new TestService(harness);
    const first = await service.scanned(harness.newSet(lodash, axios));
    await service.scanned(harness.newSet(axios));
    const state = async () => ({
      vulnerabilities: await service.documents(),
      state: await harness.db
        .collection<{ _id: string }>('service_states')
        .findOne({ _id: service.service_id }),
    });
    const before = await state();
    await harness.finish({ ...first, attempt: 1 });
    expect(await state()).toEqual(before);
  });
});

describe('an advisory change', () => {
  test('opens, closes and rewrites vulnerabilities over all SBOM versions', async () => {
    const service = new TestService(harness);
    const [old, now] = [harness.newSet(lodash), harness.newSet(axios)];
    const first = await service.scanned(old);
    const second = await service.scanned(now);
    expect(await service.states()).toEqual({ 'lodash GHSA-1': 'fixed', 'axios GHSA-2': 'open' });
    harness.setScan(old, axios);
    harness.setScan(now, 'vue@1.0.0 GHSA-9');
    await harness.finish({ ...second, lane: 'rescan', revision: 2 });
    expect(await service.states()).toEqual({
      '- GHSA-1': 'vanished',
      'axios GHSA-2': 'fixed',
      'vue GHSA-9': 'open',
    });
    const [stored, recomputed] = await service.storedAndRecomputed();
    expect(stored).toEqual(recomputed);
    harness.setScan(old, lodash);
    await harness.finish({ ...first, lane: 'rescan', revision: 3 });
    expect(await service.states()).toMatchObject({
      'lodash GHSA-1': 'fixed',
      'vue GHSA-9': 'open',
    });
  });

  test('is in the older SBOMs too: when the newest one is deleted its predecessor shows what is found now', async () => {
    const service = new TestService(harness);
    const [old, now] = [harness.newSet(lodash, axios), harness.newSet(lodash)];
    await service.scanned(old);
    const newest = await service.scanned(now);
    harness.revisions.set(old, 5).set(now, 5);
    harness.setScan(old, lodash, 'vue@1.0.0 GHSA-9');
    await harness.finish({ ...newest, lane: 'rescan', revision: 5 });
    expect(await service.states()).toEqual({
      'lodash GHSA-1': 'open',
      '- GHSA-2': 'vanished',
      'vue GHSA-9': 'fixed',
    });
    await service.remove(newest);
    expect(await service.states()).toEqual({
      'lodash GHSA-1': 'open',
      '- GHSA-2': 'vanished',
      'vue GHSA-9': 'open',
    });
  });

  test('of many services that contain the same sets brings each of them to what one recomputation gives', async () => {
    const sets = [harness.newSet(lodash, axios), harness.newSet(axios), harness.newSet(lodash)];
    const { services, newest } = await servicesOver(harness, sets, 30);
    for (const digest of sets) harness.revisions.set(digest, 4);
    harness.setScan(sets[0] ?? '', axios, 'vue@1.0.0 GHSA-9');
    harness.setScan(sets[2] ?? '', 'vue@1.0.0 GHSA-9');
    const rescans = newest.map((scan) => ({ ...scan, lane: 'rescan' as const, revision: 4 }));
    // Some services get another upload at the same moment.
    const uploads = services.slice(0, 10).map((service) => service.upload(sets[1] ?? ''));
    await harness.finish(...rescans, ...uploads);
    for (const service of services) {
      const [stored, recomputed] = await service.storedAndRecomputed();
      expect(stored).toEqual(recomputed);
      expect(Object.keys(await service.states())).toContain('vue GHSA-9');
    }
  });

  test('that is withdrawn or narrowed takes its vulnerabilities out of the list of open ones', async () => {
    const service = new TestService(harness);
    const digest = harness.newSet(lodash, axios);
    const scan = await service.scanned(digest);
    harness.revisions.set(digest, 3);
    harness.setScan(digest, axios);
    await harness.finish({ ...scan, lane: 'rescan', revision: 3 });
    expect((await service.activeList()).map(({ package_name }) => package_name)).toEqual(['axios']);
  });

  test('records the time until it is applied, once', async () => {
    const service = new TestService(harness);
    const digest = harness.newSet(lodash);
    const scan = await service.scanned(digest);
    harness.revisions.set(digest, 2);
    const before = await harness.metric('bomtrail_advisory_change_delay_seconds_count');
    const changed_at = new Date(Date.now() - 60_000).toISOString();
    const rescan = { ...scan, lane: 'rescan' as const, revision: 2, changed_at };
    await harness.finish(rescan);
    await harness.finish({ ...rescan, attempt: 1 });
    expect(await harness.metric('bomtrail_advisory_change_delay_seconds_count')).toBe(before + 1);
    const sum = await harness.metric('bomtrail_advisory_change_delay_seconds_sum');
    expect(sum).toBeGreaterThanOrEqual(60);
  });

  test('updates a service once, however many of its sets it concerns', async () => {
    const service = new TestService(harness);
    const sets = [harness.newSet(lodash), harness.newSet(axios)];
    const uploads = [await service.scanned(sets[0] ?? ''), await service.scanned(sets[1] ?? '')];
    for (const digest of sets) harness.revisions.set(digest, 2);
    const requested: string[] = [];
    harness.beforeScanResponse = async (digest) =>
      void (sets.includes(digest) && requested.push(digest));
    for (const scan of uploads) await harness.finish({ ...scan, lane: 'rescan', revision: 2 });
    expect(requested.sort()).toEqual([...sets].sort());
  });

  test('reaches an SBOM that was scanned on older advisories than the rest of its service', async () => {
    const service = new TestService(harness);
    const [ahead, pendingUpdates] = [harness.newSet(lodash), harness.newSet(lodash)];
    harness.revisions.set(ahead, 7).set(pendingUpdates, 6);
    await service.scanned(ahead);
    const scan = await service.scanned(pendingUpdates);
    harness.revisions.set(pendingUpdates, 7);
    harness.setScan(pendingUpdates, lodash, axios);
    await harness.finish({ ...scan, lane: 'rescan', revision: 7 });
    expect(await service.states()).toEqual({ 'lodash GHSA-1': 'open', 'axios GHSA-2': 'open' });
  });
});

function withoutSbomIds(vulnerabilities: unknown[]): unknown {
  return JSON.parse(
    JSON.stringify(vulnerabilities, (key, value) => (key === 'sbom_id' ? undefined : value)),
  );
}

/** The items in an order of their own, the same in each run. */
function shuffled<Item>(items: readonly Item[]): Item[] {
  return items.map((_, index) => items[(index * 17 + 5) % items.length] as Item);
}
