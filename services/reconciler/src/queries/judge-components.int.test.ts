import { gunzipSync, gzipSync } from 'node:zlib';
import {
  countFindings,
  createAcceptance,
  judgeComponents,
  type CheckedVulnerability,
  type ComponentsJudgement,
  type SbomReference,
} from '@bomtrail/messages';
import fc from 'fast-check';
import { finding } from '../testing/findings';
import { TestService } from '../testing/service';
import { startReconciler, type TestReconciler } from '../testing/start-reconciler';

let test_: TestReconciler;

beforeAll(async () => {
  test_ = await startReconciler();
});
afterAll(() => test_?.stop());

interface Checked extends ComponentsJudgement {
  failing: CheckedVulnerability[];
  all: CheckedVulnerability[];
}

/** Judges a document with the findings of a component set that no SBOM has. */
async function check(
  digest: string,
  of: { service?: TestService; baseline?: SbomReference | 'none'; project_id?: string } = {},
): Promise<Checked> {
  const { service, baseline = 'none', project_id = service?.project_id ?? null } = of;
  const document = gzipSync(JSON.stringify([{ name: digest }]));
  const { body, attachment } = await test_.bus.request(
    judgeComponents,
    {
      roots: [],
      project_id,
      service_id: service?.service_id ?? null,
      baseline:
        baseline === 'none' ? 'none' : { sbom_id: baseline.sbom_id, digest: baseline.digest },
      fail_on: 'low',
      only_new: true,
    },
    document,
  );
  const bytes = Buffer.from(attachment ?? '');
  const unpacked = (some: Buffer) =>
    JSON.parse(gunzipSync(some).toString()) as CheckedVulnerability[];
  return {
    ...body,
    failing: unpacked(bytes.subarray(0, body.failing_bytes)),
    all: unpacked(bytes.subarray(body.failing_bytes)),
  };
}

async function accept(service: TestService, name: string): Promise<void> {
  const tracked = (await service.documents()).find(({ package_key }) => package_key.endsWith(name));
  await test_.bus.request(createAcceptance, {
    project_id: service.project_id,
    service_id: service.service_id,
    vulnerability_id: tracked?._id ?? '',
    reason: 'r',
    expires_at: null,
  });
}

async function stored(): Promise<Record<string, number>> {
  const names = (await test_.db.listCollections().toArray()).map(({ name }) => name).sort();
  const counts = names.map(async (name) => [
    name,
    await test_.db.collection(name).countDocuments(),
  ]);
  return Object.fromEntries(await Promise.all(counts)) as Record<string, number>;
}

const shown = ({ all }: Checked) =>
  all.map(({ package_name, status, is_new, id }) => [package_name, status, is_new, id !== null]);

test('CH1 a document is judged by the decisions and the baseline of the service, and nothing is stored', async () => {
  const service = new TestService(test_);
  const baseline = await service.scanned(test_.newSet('kept@1.0.0 GHSA-1', 'fine@1.0.0 GHSA-2'));
  await accept(service, 'fine');
  const document = test_.newSet('kept@1.1.0 GHSA-1', 'fine@1.0.0 GHSA-2', 'more@1.0.0 GHSA-3');
  const before = await stored();
  const found = await check(document, { service, baseline });
  expect(await stored()).toEqual(before);
  expect(shown(found)).toEqual([
    ['fine', 'accepted', false, true],
    ['kept', 'open', false, true],
    ['more', 'open', true, false],
  ]);
  expect(found).toMatchObject({ total: 3, found: { failing: 1, accepted: 1, untracked: 0 } });
  expect(found.failing).toEqual([found.all[2]]);
  expect(found.all[2]).toMatchObject({ title: 'About GHSA-3', failed_rules: ['fail_on'] });
});

test('without a service there is nothing to compare with; decisions for the project apply without one', async () => {
  const service = new TestService(test_);
  const digest = test_.newSet('kept@1.0.0 GHSA-1', 'fine@1.0.0 GHSA-2');
  await service.scanned(digest);
  const [first] = await service.documents();
  const { project_id } = service;
  await test_.bus.request(createAcceptance, {
    project_id,
    service_id: null,
    vulnerability_id: first?._id ?? '',
    reason: 'r',
    expires_at: null,
  });
  const accepted = first?.snapshot?.package_name;
  const alone = await check(digest);
  expect(alone.found).toMatchObject({ failing: 2, accepted: 0 });
  expect(alone.all.every(({ id, is_new }) => id === null && is_new)).toBe(true);
  const ofProject = await check(digest, { project_id });
  expect(ofProject.all.filter(({ status }) => status === 'accepted')).toMatchObject([
    { package_name: accepted },
  ]);
});

test('one that is fixed in the service fails again where the document has it', async () => {
  const service = new TestService(test_);
  const old = test_.newSet('gone@1.0.0 GHSA-1');
  await service.scanned(old);
  const baseline = await service.scanned(test_.newSet());
  const found = await check(old, { service, baseline });
  expect(shown(found)).toEqual([['gone', 'open', true, true]]);
});

test('a vulnerability in several versions is one, with its worst severity, and the values of the risk feeds', async () => {
  test_.riskScores.set('CVE-2026-1000', {
    cve: 'CVE-2026-1000',
    revision: 1,
    kev: null,
    epss: { score: 0.7, percentile: 0.9 },
    exploited_known_at: null,
  });
  const digest = test_.newSet(
    finding('many@1.0.0 GHSA-1 CVE-2026-1000', { severity: 'low', cvss_score: 1 }),
    finding('many@2.0.0 GHSA-1 CVE-2026-1000', { severity: 'critical', cvss_score: 9.9 }),
    'other@1.0.0 GHSA-9',
  );
  const { all } = await check(digest);
  expect(all).toMatchObject([
    {
      package_name: 'many',
      package_versions: ['1.0.0', '2.0.0'],
      severity: 'critical',
      aliases: ['GHSA-1', 'CVE-2026-1000'],
      epss_score: 0.7,
      severity_source: null,
    },
    { package_name: 'other', epss_score: null },
  ]);
});

test('findings beyond one part are all counted, and each vulnerability once', async () => {
  const service = new TestService(test_);
  const names = Array.from({ length: 2_500 }, (_one, n) => `p${n}@1.0.0 GHSA-${n}`);
  const versions = Array.from({ length: 2_500 }, (_one, n) => `wide@1.0.${n} GHSA-W`);
  const baseline = await service.scanned(test_.newSet(...names.slice(0, 20)));
  const found = await check(test_.newSet(...versions, ...names), { service, baseline });
  expect(found).toMatchObject({ total: 2_501, found: { failing: 2_481 } });
  expect(found.failing).toHaveLength(100);
  expect(
    found.all.find(({ package_name }) => package_name === 'wide')?.package_versions,
  ).toHaveLength(2_500);
}, 60_000);

/** Findings as the advisories name them, and as they named them before: groups join and part. */
const now = [
  ...['a@1.0.0 G-1 C-1', 'a@2.0.0 G-1 C-1', 'a@1.0.0 G-2', 'b@1.0.0 G-1'],
  ...['c@1.0.0 G-3 G-4', 'd@1.0.0 G-5', 'd@1.0.0 G-6'],
];
const formerly = [
  ...['a@1.0.0 G-1', 'a@2.0.0 G-1', 'a@1.0.0 C-1', 'b@1.0.0 G-1 C-9'],
  ...['c@1.0.0 G-3', 'c@1.0.0 G-4', 'd@1.0.0 G-5 G-6'],
];
const someOf = (texts: string[]) => fc.uniqueArray(fc.constantFrom(...texts), { maxLength: 4 });
/** SBOMs as they were scanned first, and as they are scanned again since. */
const history = fc.array(fc.tuple(someOf(formerly), someOf(now)), { maxLength: 2 });
const checks = fc.record({
  history,
  newest: someOf(now),
  document: someOf(now),
  accepts: fc.boolean(),
});

test('CH1 the counts are those that the gate gives once the document is uploaded', async () => {
  await fc.assert(
    fc.asyncProperty(checks, async ({ history: past, newest, document, accepts }) => {
      const service = new TestService(test_);
      for (const [first, again] of past) {
        const digest = test_.newSet(...first);
        const scan = await service.scanned(digest);
        test_.setScan(digest, ...again);
        await test_.finish({ ...scan, lane: 'rescan', revision: 2 });
      }
      const baseline = await service.scanned(test_.newSet(...newest));
      const [first] = await service.documents();
      if (accepts && first?.snapshot) await accept(service, first.package_key);
      const digest = test_.newSet(...document);
      const checked = await check(digest, { service, baseline });
      const uploaded = await service.scanned(digest);
      const named = ({ sbom_id, digest: own }: SbomReference) => ({ sbom_id, digest: own });
      const { body: gate } = await test_.bus.request(countFindings, {
        service_id: service.service_id,
        sbom: named(uploaded),
        baseline: named(baseline),
        fail_on: 'low',
        only_new: true,
      });
      expect(checked.found).toEqual(gate);
      expect(checked.total).toBe(
        Object.values(gate.counts).reduce((sum, count) => sum + count, gate.accepted),
      );
    }),
    { numRuns: 20 },
  );
}, 60_000);
