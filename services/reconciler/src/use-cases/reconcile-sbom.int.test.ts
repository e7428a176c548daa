import { listActive, scanCompleted, summariseActive, type SbomReference } from '@bomtrail/messages';
import { eventually } from '@bomtrail/testkit';
import { linesOver, TestLine } from '../testing/line';
import { startReconciler, type TestReconciler } from '../testing/start-reconciler';

let harness: TestReconciler;

beforeAll(async () => {
  harness = await startReconciler({ processes: 2 });
});
afterAll(() => harness?.stop());

const axios = 'axios@0.1.0 GHSA-2';
const lodash = 'lodash@1.0.0 GHSA-1 CVE-1';

describe('the first SBOM of a service', () => {
  test('opens a row for each vulnerability; list and summary agree', async () => {
    const line = new TestLine(harness);
    const scan = await line.scanned(harness.newSet(lodash, axios));
    const { service_id, project_id } = line;
    const { body: list } = await harness.bus.request(listActive, {
      ...{ project_id, page: 1, per_page: 50, sort: 'package_name', order: 'desc' },
    });
    expect(list.total).toBe(2);
    expect(list.items).toMatchObject([
      {
        ...{ package_name: 'lodash', package_version: '1.0.0', package_versions: ['1.0.0'] },
        ...{ cve_id: 'CVE-1', aliases: ['GHSA-1', 'CVE-1'], advisory_ids: ['GHSA-1'] },
        ...{ title: 'About CVE-1', severity: 'high', cvss_score: 7.5, status: 'open' },
        ...{ service_id, project_id, sbom_id: scan.sbom_id },
        ...{ first_seen_at: scan.created_at, last_seen_at: scan.created_at },
      },
      { package_name: 'axios', cve_id: 'GHSA-2' },
    ]);
    const { body: summary } = await harness.bus.request(summariseActive, { project_id });
    expect(summary).toEqual({
      ...{ critical: 0, high: 2, medium: 0, low: 0, none: 0, unknown: 0, total: 2 },
    });
  });

  test('whose component set is not evaluated yet is no clean one: its result waits for the scanner', async () => {
    const line = new TestLine(harness);
    const digest = harness.newSet(lodash);
    const found = harness.scans.get(digest) ?? [];
    harness.scans.delete(digest);
    const scan = line.upload(digest);
    let asked = 0;
    harness.beforeScanAnswer = async (one) => void (one === digest && asked++);
    await harness.bus.publish(scanCompleted, scan);
    await eventually(() => asked >= 2, { what: 'the scanner is asked again' });
    expect(harness.reconciled.some(({ sbom_id }) => sbom_id === scan.sbom_id)).toBe(false);
    harness.scans.set(digest, found);
    await harness.finish(scan);
    expect(await line.states()).toEqual({ 'lodash GHSA-1': 'open' });
  });
});

describe('the next SBOM', () => {
  test('without a package turns its row fixed; when it is deleted the row is open again under its id', async () => {
    const line = new TestLine(harness);
    const first = await line.scanned(harness.newSet(lodash, axios));
    const before = await line.listed();
    const second = await line.scanned(harness.newSet(lodash));
    expect(await line.states()).toEqual({ 'lodash GHSA-1': 'open', 'axios GHSA-2': 'fixed' });
    expect(await line.listed()).toMatchObject([
      { package_name: 'lodash', sbom_id: second.sbom_id, first_seen_at: first.created_at },
    ]);
    await line.remove(second);
    expect(await line.listed()).toEqual(before);
  });

  test('that changes nothing writes no row, and the list shows it as the latest', async () => {
    const line = new TestLine(harness);
    const digest = harness.newSet(lodash, axios);
    await line.scanned(digest);
    const before = await line.documents();
    const changes = harness.db.collection('tracked_vulnerabilities').watch();
    try {
      await changes.tryNext();
      const second = await line.scanned(digest);
      const third = await line.scanned(harness.newSet(lodash, axios));
      const marker = new TestLine(harness);
      await marker.scanned(digest);
      const seen = await changes.next();
      const changed = 'documentKey' in seen ? seen.documentKey._id : null;
      expect((await marker.documents()).map(({ _id }) => _id)).toContain(changed);
      expect(await line.documents()).toEqual(before);
      expect(third.seq).toBe(second.seq + 1);
      expect((await line.listed()).map(({ sbom_id }) => sbom_id)).toEqual([
        ...[third.sbom_id, third.sbom_id],
      ]);
    } finally {
      await changes.close();
    }
  });

  test('gives the same rows when its scan ends before the one of its predecessor', async () => {
    const sets = [harness.newSet(lodash, axios), harness.newSet(lodash), harness.newSet(axios)];
    const inOrder = new TestLine(harness);
    for (const digest of sets) await inOrder.scanned(digest);
    const [expected] = await inOrder.storedAndRecomputed();
    for (const order of [
      [1, 0, 2],
      [2, 1, 0],
      [2, 0, 1],
    ]) {
      const line = new TestLine(harness);
      const uploads = sets.map((digest) => line.upload(digest));
      for (const index of order) await harness.finish(uploads[index] as SbomReference);
      const ids = new Map(uploads.map(({ sbom_id, seq }) => [sbom_id, seq]));
      const [stored, recomputed] = await line.storedAndRecomputed();
      expect(stored).toEqual(recomputed);
      expect(withoutSbomIds(stored)).toEqual(withoutSbomIds(expected));
      expect((await line.listed()).map(({ sbom_id }) => ids.get(sbom_id))).toEqual([3]);
    }
  });

  test('and all that follow, taken by two processes in any order, give what a recomputation gives', async () => {
    const packages = ['a@1.0.0 GHSA-1 CVE-1', 'a@1.1.0 GHSA-1 CVE-1', 'b@2.0.0 GHSA-2', axios];
    const sets = [0, 1, 2, 3, 4, 5].map((n) =>
      harness.newSet(...packages.filter((_, index) => (n * 7 + 3) & (1 << index))),
    );
    const line = new TestLine(harness);
    const uploads = Array.from({ length: 40 }, (_, n) =>
      line.upload(sets[(n * 5 + (n >> 2)) % sets.length] ?? ''),
    );
    await harness.finish(...shuffled(uploads));
    const [stored, recomputed] = await line.storedAndRecomputed();
    expect(stored).toEqual(recomputed);
    expect(stored.length).toBeGreaterThanOrEqual(3);
    expect(
      await harness.db.collection('sbom_log').countDocuments({ service_id: line.service_id }),
    ).toBe(40);
    for (const { sbom_id } of await line.listed()) expect(sbom_id).toBe(uploads[39]?.sbom_id);
  });
});

test('two SBOMs of one service whose scans end at the same moment in two processes are both taken', async () => {
  const [none, one, two] = [harness.newSet(), harness.newSet(lodash), harness.newSet(axios)];
  for (let round = 0; round < 4; round++) {
    const lines = Array.from({ length: 15 }, () => new TestLine(harness));
    await harness.finish(...lines.map((line) => line.upload(none)));
    await harness.finish(...lines.flatMap((line) => [line.upload(one), line.upload(two)]));
    for (const line of lines) {
      const [stored, recomputed] = await line.storedAndRecomputed();
      expect(stored).toEqual(recomputed);
    }
  }
});

describe('a message that comes again', () => {
  test('changes nothing', async () => {
    const line = new TestLine(harness);
    const first = await line.scanned(harness.newSet(lodash, axios));
    await line.scanned(harness.newSet(axios));
    const state = async () => ({
      rows: await line.documents(),
      ledger: await harness.db
        .collection<{ _id: string }>('ledgers')
        .findOne({ _id: line.service_id }),
    });
    const before = await state();
    await harness.finish({ ...first, attempt: 1 });
    expect(await state()).toEqual(before);
  });
});

describe('an advisory change', () => {
  test('opens, closes and rewrites rows over the whole log', async () => {
    const line = new TestLine(harness);
    const [old, now] = [harness.newSet(lodash), harness.newSet(axios)];
    const first = await line.scanned(old);
    const second = await line.scanned(now);
    expect(await line.states()).toEqual({ 'lodash GHSA-1': 'fixed', 'axios GHSA-2': 'open' });
    harness.setScan(old, axios);
    harness.setScan(now, 'vue@1.0.0 GHSA-9');
    await harness.finish({ ...second, lane: 'rescan', revision: 2 });
    expect(await line.states()).toEqual({
      ...{ '- GHSA-1': 'vanished', 'axios GHSA-2': 'fixed', 'vue GHSA-9': 'open' },
    });
    const [stored, recomputed] = await line.storedAndRecomputed();
    expect(stored).toEqual(recomputed);
    harness.setScan(old, lodash);
    await harness.finish({ ...first, lane: 'rescan', revision: 3 });
    expect(await line.states()).toMatchObject({ 'lodash GHSA-1': 'fixed', 'vue GHSA-9': 'open' });
  });

  test('is in the older SBOMs too: when the newest one is deleted its predecessor shows what is found now', async () => {
    const line = new TestLine(harness);
    const [old, now] = [harness.newSet(lodash, axios), harness.newSet(lodash)];
    await line.scanned(old);
    const newest = await line.scanned(now);
    harness.revisions.set(old, 5).set(now, 5);
    harness.setScan(old, lodash, 'vue@1.0.0 GHSA-9');
    await harness.finish({ ...newest, lane: 'rescan', revision: 5 });
    expect(await line.states()).toEqual({
      ...{ 'lodash GHSA-1': 'open', '- GHSA-2': 'vanished', 'vue GHSA-9': 'fixed' },
    });
    await line.remove(newest);
    expect(await line.states()).toEqual({
      ...{ 'lodash GHSA-1': 'open', '- GHSA-2': 'vanished', 'vue GHSA-9': 'open' },
    });
  });

  test('of many lines that hold the same sets brings each of them to what one recomputation gives', async () => {
    const sets = [harness.newSet(lodash, axios), harness.newSet(axios), harness.newSet(lodash)];
    const { lines, newest } = await linesOver(harness, sets, 30);
    for (const digest of sets) harness.revisions.set(digest, 4);
    harness.setScan(sets[0] ?? '', axios, 'vue@1.0.0 GHSA-9');
    harness.setScan(sets[2] ?? '', 'vue@1.0.0 GHSA-9');
    const rescans = newest.map((scan) => ({ ...scan, lane: 'rescan' as const, revision: 4 }));
    // Some lines get another upload at the same moment.
    const uploads = lines.slice(0, 10).map((line) => line.upload(sets[1] ?? ''));
    await harness.finish(...rescans, ...uploads);
    for (const line of lines) {
      const [stored, recomputed] = await line.storedAndRecomputed();
      expect(stored).toEqual(recomputed);
      expect(Object.keys(await line.states())).toContain('vue GHSA-9');
    }
  });

  test('that is withdrawn or narrowed takes its rows out of the list of open ones', async () => {
    const line = new TestLine(harness);
    const digest = harness.newSet(lodash, axios);
    const scan = await line.scanned(digest);
    harness.revisions.set(digest, 3);
    harness.setScan(digest, axios);
    await harness.finish({ ...scan, lane: 'rescan', revision: 3 });
    expect((await line.listed()).map(({ package_name }) => package_name)).toEqual(['axios']);
  });

  test('tells how long it took until the lists show it, once', async () => {
    const line = new TestLine(harness);
    const digest = harness.newSet(lodash);
    const scan = await line.scanned(digest);
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

  test('brings a line up to date once, however many of its sets it touches', async () => {
    const line = new TestLine(harness);
    const sets = [harness.newSet(lodash), harness.newSet(axios)];
    const uploads = [await line.scanned(sets[0] ?? ''), await line.scanned(sets[1] ?? '')];
    for (const digest of sets) harness.revisions.set(digest, 2);
    const asked: string[] = [];
    harness.beforeScanAnswer = async (digest) => void (sets.includes(digest) && asked.push(digest));
    for (const scan of uploads) await harness.finish({ ...scan, lane: 'rescan', revision: 2 });
    expect(asked.sort()).toEqual([...sets].sort());
  });

  test('reaches an SBOM that was scanned on older advisories than the rest of its line', async () => {
    const line = new TestLine(harness);
    const [ahead, behind] = [harness.newSet(lodash), harness.newSet(lodash)];
    harness.revisions.set(ahead, 7).set(behind, 6);
    await line.scanned(ahead);
    const scan = await line.scanned(behind);
    harness.revisions.set(behind, 7);
    harness.setScan(behind, lodash, axios);
    await harness.finish({ ...scan, lane: 'rescan', revision: 7 });
    expect(await line.states()).toEqual({ 'lodash GHSA-1': 'open', 'axios GHSA-2': 'open' });
  });
});

function withoutSbomIds(rows: unknown[]): unknown {
  return JSON.parse(JSON.stringify(rows, (key, value) => (key === 'sbom_id' ? undefined : value)));
}

/** The items in an order of their own, the same in each run. */
function shuffled<Item>(items: readonly Item[]): Item[] {
  return items.map((_, index) => items[(index * 17 + 5) % items.length] as Item);
}
