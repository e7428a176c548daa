import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { listUndetermined, readCoverage } from '@bomtrail/messages';
import { eventually, startTestServers, type TestServers } from '@bomtrail/testkit';
import { startFakeOsv, type FakeOsv } from '../testing/fake-osv';
import { startScanner, type ScannerUnderTest } from '../testing/scanner-under-test';

const within = 20_000;
/** Nothing in these tests waits for the interval. */
const hourly = { BOMTRAIL_FEED_INTERVAL_SECONDS: 3600, BOMTRAIL_FEED_TIMEOUT_SECONDS: 5 };

let servers: TestServers;
let osv: FakeOsv;
let running: ScannerUnderTest[] = [];
let number = 0;

beforeAll(async () => {
  servers = await startTestServers();
});
beforeEach(async () => {
  number += 1;
  osv = await startFakeOsv();
  for (const ecosystem of ['npm', 'Hex', 'Pub']) {
    for (const n of [1, 2])
      osv.put(ecosystem, { id: `${ecosystem}-${n}`, name: `p${n}`, fixed: '2.0.0' });
  }
});
afterEach(async () => {
  osv.close();
  for (const one of running) await one.stop();
  running = [];
});
afterAll(() => servers?.stop());

async function start(settings: Record<string, string | number> = {}): Promise<ScannerUnderTest> {
  const options = { source: osv.url, name: `w${number}`, settings: { ...hourly, ...settings } };
  const one = await startScanner(servers, options);
  running.push(one);
  return one;
}

async function stop(one: ScannerUnderTest): Promise<void> {
  running = running.filter((other) => other !== one);
  await one.stop();
}

const component = (type: string, name = 'p1') => ({
  purl: `pkg:${type}/${name}@1.0.0`,
  name,
  version: '1.0.0',
});

async function waitUntilParked(one: ScannerUnderTest, scans: number): Promise<void> {
  await eventually(async () => expect(await one.metric('bomtrail_scans_waiting')).toBe(scans), {
    within,
    what: `${scans} scans wait`,
  });
}

const isCompleted = (one: ScannerUnderTest, sbomId: string) =>
  one.completed.some((scan) => scan.sbom_id === sbomId);

async function waitUntilCompleted(one: ScannerUnderTest, sbomId: string): Promise<void> {
  await eventually(() => isCompleted(one, sbomId), { within, what: 'the scan is completed' });
}

async function coverageOf(one: ScannerUnderTest, digest: string) {
  return (await one.request(readCoverage, { digest })).body;
}

test('a scan waits for the first load of its ecosystem, and others pass it meanwhile', async () => {
  const one = await start();
  osv.break(/^\/Hex\//, 'pause');
  const digest = one.putSet([component('hex')]);
  const waiting = await Promise.all(Array.from({ length: 20 }, () => one.requestScan(digest)));
  await waitUntilParked(one, 20);

  // More scans wait than the lane has places; what needs no first load goes on.
  const unknown = one.putSet([{ purl: 'pkg:generic/p1@1.0.0' }]);
  await one.scan(unknown);
  expect(waiting.some((id) => isCompleted(one, id))).toBe(false);

  osv.heal();
  for (const id of waiting) await waitUntilCompleted(one, id);
  expect((await one.findings(digest)).findings).toHaveLength(1);
  expect(await coverageOf(one, digest)).toMatchObject({
    advisory_data: 'feed',
    coverage: { evaluated: 1, undetermined: {} },
  });
  await waitUntilParked(one, 0);
  expect(osv.count('/Hex/all.zip', 200)).toBe(1);
});

test.each([
  ['fails', { status: 500 }],
  ['is not there', { status: 404 }],
])(
  'a first load that %s ends the wait, and the next scan does not wait for it',
  async (_what, fault) => {
    const one = await start();
    osv.break(/^\/Hex\//, fault);
    const digest = one.putSet([component('hex'), component('npm')]);
    await one.scan(digest);
    expect((await one.findings(digest)).findings).toHaveLength(1);
    expect(await coverageOf(one, digest)).toMatchObject({
      coverage: { components: 2, evaluated: 1, undetermined: { feed_not_loaded: 1 } },
    });
    // Whoever asked the server again now, and waited for it, would wait for ever.
    osv.break(/^\/Hex\//, 'pause');
    await one.scan(one.putSet([component('hex', 'p2')]));
  },
);

test('the starter set leaves ecosystem by ecosystem', async () => {
  const one = await start();
  const labels = async () => (await one.state())?.parts.map(({ label }) => label) ?? [];
  expect(await labels()).toEqual(expect.arrayContaining(['starter/npm', 'starter/PyPI']));
  const digest = one.putSet([component('npm')]);
  await one.scan(digest);
  expect(await labels()).toEqual(expect.arrayContaining(['npm', 'starter/PyPI']));
  expect(await labels()).not.toContain('starter/npm');
  expect(await coverageOf(one, digest)).toMatchObject({ advisory_data: 'feed' });
});

test('an ecosystem outside of the chosen ones is neither loaded nor waited for', async () => {
  const one = await start({ BOMTRAIL_ADVISORY_ECOSYSTEMS: 'npm' });
  const digest = one.putSet([component('hex'), component('pypi'), component('npm')]);
  await one.scan(digest);
  const { revision: _revision, ...coverage } = await coverageOf(one, digest);
  expect(coverage).toEqual({
    advisory_data: 'starter',
    coverage: {
      components: 3,
      evaluated: 1,
      undetermined: { feed_not_loaded: 1, starter_data: 1 },
    },
  });
  const listed = await one.request(listUndetermined, { digest, page: 1, per_page: 10 });
  expect(listed.body).toEqual({ ...coverage, total: 2 });
  expect(osv.requests.some(({ path }) => path.startsWith('/Hex/'))).toBe(false);
});

test('two replicas load an ecosystem once, and each goes on with what it has', async () => {
  const [one, other] = [await start(), await start()];
  const components = [component('hex'), component('pub')];
  const digest = one.putSet(components);
  other.putSet(components);
  await Promise.all([one.scan(digest), other.scan(digest)]);
  expect((await one.findings(digest)).findings).toHaveLength(2);
  expect(osv.count('/Hex/all.zip', 200)).toBe(1);
  expect(osv.count('/Pub/all.zip', 200)).toBe(1);
});

test('a scan that waits survives the end of the process', async () => {
  osv.break(/^\/Hex\//, 'pause');
  const first = await start();
  const components = [component('hex')];
  const sbomId = await first.requestScan(first.putSet(components));
  await waitUntilParked(first, 1);
  await stop(first);

  osv.heal();
  const second = await start();
  const digest = second.putSet(components);
  await waitUntilCompleted(second, sbomId);
  expect((await second.findings(digest)).findings).toHaveLength(1);
});
