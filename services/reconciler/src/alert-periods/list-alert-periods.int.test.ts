import {
  alertThresholds,
  createAcceptance,
  deleteAcceptance,
  listAlertPeriods,
  listServiceStates,
  rescanRequested,
  type AlertThreshold,
  type AlertPeriodView,
  type SbomReference,
  type Severity,
} from '@bomtrail/messages';
import { eventually } from '@bomtrail/testkit';
import type { AcceptanceDocument } from '../tracking/store/documents';
import { once, ownReconciler } from '../testing/fault-points';
import { finding, type FakeFinding } from '../testing/findings';
import { deleteProject, deleteServiceOf } from '../testing/deletion-helpers';
import { TestService } from '../testing/service';
import { startReconciler, type TestReconciler } from '../testing/start-reconciler';
import { reconcileSbom } from '../tracking/reconcile-sbom';

let harness: TestReconciler;

beforeAll(async () => {
  harness = await startReconciler({ processes: 2 });
});
afterAll(() => harness?.stop());

const lodash = 'lodash@1.0.0 GHSA-1 CVE-1';
const axios = 'axios@0.1.0 GHSA-2';

const as = (severity: Severity, text = lodash): FakeFinding => finding(text, { severity });

const noRisk = { kev: false, min_epss: null };

/** What is listed in these services of one project, over all pages. */
async function alertPeriodsOf(
  services: readonly TestService[],
  threshold: AlertThreshold = 'low',
  limit = 2,
): Promise<AlertPeriodView[]> {
  const project_id = services[0]?.project_id ?? '';
  const service_ids = services.map(({ service_id }) => service_id);
  return allPages(async (after) => {
    const requested = { project_id, service_ids, threshold, after, limit, ...noRisk };
    const { body } = await harness.bus.request(listAlertPeriods, requested);
    return { items: body.alert_periods, next: body.next };
  });
}

async function allPages<Item>(
  read: (after: string | null) => Promise<{ items: Item[]; next: string | null }>,
): Promise<Item[]> {
  const found: Item[] = [];
  let after: string | null = null;
  do {
    const page = await read(after);
    found.push(...page.items);
    after = page.next;
  } while (after !== null);
  return found;
}

/** The only one. */
async function alertPeriodOf(service: TestService, threshold: AlertThreshold = 'high') {
  const [found, ...more] = await alertPeriodsOf([service], threshold);
  expect(more).toEqual([]);
  if (!found) throw new Error(`Nothing is listed at or above ${threshold}.`);
  return found;
}

async function versionsOf(project_id: string): Promise<Record<string, number>> {
  const states = await allPages(async (after) => {
    const { body } = await harness.bus.request(listServiceStates, { project_id, after, limit: 2 });
    return { items: body.states, next: body.next };
  });
  return Object.fromEntries(states.map(({ service_id, version }) => [service_id, version]));
}

const acceptances = () => harness.db.collection<AcceptanceDocument>('acceptances');

async function accept({ project_id, service_id }: TestService, vulnerability_id: string) {
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
  const scope = { project_id, service_id: service_id, expires_at: inAnHour };
  const { body } = await harness.bus.request(createAcceptance, {
    ...scope,
    vulnerability_id,
    reason: 'r',
  });
  return body.id;
}

const takeBack = (acceptance_id: string) =>
  harness.bus.request(deleteAcceptance, { acceptance_id });

let revision = 1;

/** Changes what is said of a set, and brings one SBOM to it by itself. */
async function rescan(scan: SbomReference, ...findings: FakeFinding[]): Promise<void> {
  revision += 1;
  harness.setScan(scan.digest, ...findings);
  harness.revisions.set(scan.digest, revision);
  await harness.finish({ ...scan, lane: 'rescan', revision });
}

/** The same for many services together, of which only one package changed. */
async function completeRescan(scans: readonly SbomReference[], packages: string[]): Promise<void> {
  revision += 1;
  const ofThis = revision;
  for (const { digest } of scans) harness.revisions.set(digest, ofThis);
  const sboms = scans.map(({ lane: _l, revision: _r, attempt: _a, ...sbom }) => sbom);
  await harness.bus.publish(rescanRequested, { sboms, revision: ofThis, packages });
  const isReported = ({ sbom_id }: SbomReference): boolean =>
    harness.packageRevisions.some(
      (one) => one.revision === ofThis && one.sbom_ids.includes(sbom_id),
    );
  await eventually(() => scans.every(isReported), { what: 'the services are up to date' });
}

describe('The alert data of a vulnerability', () => {
  test('has the displayed fields and the start of the alert period', async () => {
    const service = new TestService(harness);
    const begun = Date.now();
    await service.scanned(harness.newSet(finding(lodash, { title: 'Prototype pollution' })));
    const reported = await alertPeriodOf(service);
    expect(reported).toEqual({
      vulnerability_id: expect.any(String),
      service_id: service.service_id,
      period_start: expect.any(String),
      notified_by: [reported.period_start],
      severity: 'high',
      cvss_score: 7.5,
      cve_id: 'CVE-1',
      title: 'Prototype pollution',
      package_name: 'lodash',
      package_version: '1.0.0',
      ecosystem: 'npm',
      fixed_versions: [],
      first_seen_at: expect.any(String),
      reaches_threshold: true,
      open_since: reported.period_start,
      kev: null,
      exploited_known_at: null,
      epss_score: null,
    });
    expect(Date.parse(reported.period_start)).toBeGreaterThanOrEqual(begun);
    const [open] = await service.activeList();
    expect([reported.vulnerability_id, reported.first_seen_at]).toEqual([
      open?.id,
      open?.first_seen_at,
    ]);
  });

  test('is returned without its details if these are not stored', async () => {
    const service = new TestService(harness);
    await service.scanned(harness.newSet(finding(lodash, { title: 'Lost' })));
    const [vulnerability] = await service.documents();
    await harness.db
      .collection<{ _id: string }>('vulnerability_details')
      .deleteOne({ _id: vulnerability?.details_id ?? '' });
    expect(await service.activeList()).toEqual([]);
    expect(await alertPeriodOf(service)).toMatchObject({ cve_id: 'CVE-1', title: 'CVE-1' });
  });

  test('is asked for by threshold, over several services, in pages that are together the whole', async () => {
    const one = new TestService(harness);
    const two = new TestService(harness, one.project_id);
    const foreign = new TestService(harness);
    const severities = ['critical', 'high', 'medium', 'low', 'none', 'unknown'] as const;
    const digest = harness.newSet(
      ...severities.map((severity) => as(severity, `${severity}@1 GHSA-${severity}`)),
    );
    for (const service of [one, two, foreign]) await service.scanned(digest);
    const requested = [one, two, foreign];
    const expected: Record<AlertThreshold, string[]> = {
      critical: ['critical'],
      high: ['critical', 'high'],
      medium: ['critical', 'high', 'medium'],
      low: ['critical', 'high', 'low', 'medium', 'unknown'],
    };
    for (const threshold of alertThresholds) {
      for (const limit of [1, 3, 1000]) {
        const found = await alertPeriodsOf(requested, threshold, limit);
        for (const { service_id } of [one, two]) {
          const own = found.filter((reported) => reported.service_id === service_id);
          expect(own.map(({ severity }) => severity).sort()).toEqual(expected[threshold]);
        }
        expect(found).toHaveLength(2 * expected[threshold].length);
      }
    }
    expect(await alertPeriodsOf([foreign], 'critical')).toHaveLength(1);
    await expect(
      harness.bus.request(listAlertPeriods, {
        project_id: one.project_id,
        service_ids: [one.service_id],
        threshold: 'low',
        ...noRisk,
        after: 'nonsense',
        limit: 1,
      }),
    ).rejects.toThrow();
  });

  test.each([
    ['of a usual name', 'org.springframework.boot:spring-boot-starter'],
    ['of a very long name', 'x'.repeat(4_000)],
  ])('is read on after a package %s', async (_, name) => {
    const service = new TestService(harness);
    const findings = ['lodash@1.0.0 GHSA-1', 'lodash@1.0.0 GHSA-2'].map((text) => finding(text));
    for (const one of findings) one.finding.package_key = `Debian:12|${name}`;
    await service.scanned(harness.newSet(...findings));
    expect(await alertPeriodsOf([service], 'low', 1)).toHaveLength(2);
  });

  test('is nothing of what is fixed, accepted, or of a service or project that is deleted', async () => {
    const service = new TestService(harness);
    const other = new TestService(harness, service.project_id);
    await service.scanned(harness.newSet(lodash, axios));
    await other.scanned(harness.newSet(lodash));
    const lodashVulnerability = (await alertPeriodsOf([service])).find(
      ({ cve_id }) => cve_id === 'CVE-1',
    );
    await accept(service, lodashVulnerability?.vulnerability_id ?? '');
    expect(await alertPeriodsOf([service, other])).toHaveLength(2);
    await service.scanned(harness.newSet(lodash));
    expect((await alertPeriodsOf([service, other])).map(({ service_id }) => service_id)).toEqual([
      other.service_id,
    ]);
    await deleteServiceOf(harness, other);
    expect(await alertPeriodsOf([service, other])).toEqual([]);
    expect(Object.keys(await versionsOf(service.project_id))).toEqual([service.service_id]);
    await deleteProject(harness, service.project_id);
    expect(await versionsOf(service.project_id)).toEqual({});
  });
});

describe('An alert period', () => {
  test('stays the same through uploads, re-scans and changed details', async () => {
    const service = new TestService(harness);
    const digest = harness.newSet(lodash);
    const scan = await service.scanned(digest);
    const { period_start } = await alertPeriodOf(service);
    await service.scanned(digest);
    await service.scanned(harness.newSet(finding(lodash, { title: 'Another title' }), axios));
    await rescan(scan, as('high'));
    const reported = (await alertPeriodsOf([service])).filter(({ cve_id }) => cve_id === 'CVE-1');
    expect(reported).toMatchObject([{ period_start, title: 'Another title' }]);
  });

  test('is another one when the vulnerability is fixed and open again, also by a delete', async () => {
    const service = new TestService(harness);
    const digest = harness.newSet(lodash);
    await service.scanned(digest);
    const first = await alertPeriodOf(service);
    const fixedIn = await service.scanned(harness.newSet(axios));
    await service.remove(fixedIn);
    const second = await alertPeriodOf(service);
    await service.scanned(harness.newSet());
    await service.scanned(digest);
    const third = await alertPeriodOf(service);
    expect(third.vulnerability_id).toBe(first.vulnerability_id);
    expect(
      first.period_start < second.period_start && second.period_start < third.period_start,
    ).toBe(true);
  });

  test('is another one when an acceptance was revoked or has expired', async () => {
    const service = new TestService(harness);
    await service.scanned(harness.newSet(lodash));
    const first = await alertPeriodOf(service);
    await takeBack(await accept(service, first.vulnerability_id));
    const second = await alertPeriodOf(service);
    expect(second.period_start > first.period_start).toBe(true);
    const id = await accept(service, first.vulnerability_id);
    const { [service.service_id]: accepted = 0 } = await versionsOf(service.project_id);
    await acceptances().updateOne({ _id: id }, { $set: { expires_at: new Date(0) } });
    const { [service.service_id]: expired = 0 } = await versionsOf(service.project_id);
    expect(expired).toBeGreaterThan(accepted);
    expect((await alertPeriodOf(service)).period_start > second.period_start).toBe(true);
  });

  test('of a threshold begins when an advisory change raises the severity over it, once, in one service or in many together', async () => {
    const project = new TestService(harness);
    const services = [project, ...[1, 2].map(() => new TestService(harness, project.project_id))];
    const digest = harness.newSet(as('medium'), as('high', axios));
    const scans = await Promise.all(services.map((service) => service.scanned(digest)));
    const lodashOf = async (threshold: AlertThreshold) =>
      (await alertPeriodsOf(services, threshold)).filter(({ cve_id }) => cve_id === 'CVE-1');
    const axiosBefore = await alertPeriodsOf(services, 'high');
    const before = await lodashOf('medium');
    expect(await lodashOf('high')).toEqual([]);

    harness.setScan(digest, as('critical'), as('high', axios));
    await completeRescan(scans, ['npm|lodash']);
    const raised = await lodashOf('critical');
    expect(raised).toHaveLength(3);
    for (const [index, reported] of raised.entries()) {
      expect(reported.period_start > (before[index]?.period_start ?? '~')).toBe(true);
      // Whoever was reported of it at medium is not reported again, and whoever receives it now knows it there.
      expect((await lodashOf('medium'))[index]).toMatchObject({
        period_start: before[index]?.period_start,
        notified_by: [before[index]?.period_start, reported.period_start],
      });
    }
    expect((await lodashOf('high')).map(({ period_start }) => period_start)).toEqual(
      raised.map(({ period_start }) => period_start),
    );
    // What was not loaded with the package is as it was.
    const axiosAfter = (await alertPeriodsOf(services, 'high')).filter(
      ({ cve_id }) => cve_id === 'GHSA-2',
    );
    expect(axiosAfter).toEqual(axiosBefore);

    const one = scans[0] as SbomReference;
    await rescan(one, as('low'), as('high', axios));
    await rescan(one, as('critical'), as('high', axios));
    const again = (await lodashOf('critical')).find(
      ({ service_id }) => service_id === one.service_id,
    );
    const first = raised.find(({ service_id }) => service_id === one.service_id);
    expect((again?.period_start ?? '') > (first?.period_start ?? '~')).toBe(true);
  });

  test('of a vulnerability that others were merged into is its own, and those have none', async () => {
    const service = new TestService(harness);
    const scan = await service.scanned(
      harness.newSet('lodash@1.0.0 GHSA-1', 'lodash@1.0.0 PYSEC-1'),
    );
    const [oldest, younger] = (await alertPeriodsOf([service])).sort((a, b) =>
      a.vulnerability_id < b.vulnerability_id ? -1 : 1,
    );
    await rescan(scan, finding('lodash@1.0.0 GHSA-1 PYSEC-1'));
    expect(await alertPeriodsOf([service])).toMatchObject([
      { vulnerability_id: oldest?.vulnerability_id, period_start: oldest?.period_start },
    ]);
    // Apart again: the merged one was not listed meanwhile.
    await rescan(scan, finding('lodash@1.0.0 GHSA-1'), finding('lodash@1.0.0 PYSEC-1'));
    const apart = await alertPeriodsOf([service]);
    expect(apart).toHaveLength(2);
    const back = apart.find(
      ({ vulnerability_id }) => vulnerability_id !== oldest?.vulnerability_id,
    );
    expect((back?.period_start ?? '') > (younger?.period_start ?? '~')).toBe(true);
  });

  test('is not lost where others write the vulnerability between the reading and the writing of a scan', async () => {
    const service = new TestService(harness);
    await service.scanned(harness.newSet(lodash));
    const first = await alertPeriodOf(service);
    const outcomes: string[] = [];
    const { deps } = ownReconciler(harness, {
      beforeSave: once(async () => takeBack(await accept(service, first.vulnerability_id))),
      afterSave: async (outcome) => void outcomes.push(outcome),
    });
    await reconcileSbom(deps, service.upload(harness.newSet('lodash@1.0.1 GHSA-1 CVE-1')));
    expect(outcomes).toEqual(['lost', 'saved']);
    const now = await alertPeriodOf(service);
    expect(now).toMatchObject({ package_version: '1.0.1' });
    expect(now.period_start > first.period_start).toBe(true);
  });
});

describe('The versions of the services of a project', () => {
  test('are those of its services in pages, and grow with every change of vulnerabilities in one of them', async () => {
    const one = new TestService(harness);
    const services = [
      one,
      ...Array.from({ length: 4 }, () => new TestService(harness, one.project_id)),
    ];
    const digest = harness.newSet(lodash);
    for (const service of services) await service.scanned(digest);
    const before = await versionsOf(one.project_id);
    expect(Object.keys(before)).toEqual(services.map(({ service_id }) => service_id).sort());
    await one.scanned(harness.newSet(axios));
    const after = await versionsOf(one.project_id);
    expect(after).toEqual({ ...before, [one.service_id]: expect.any(Number) });
    expect(after[one.service_id]).toBeGreaterThan(before[one.service_id] ?? 0);
    expect(await versionsOf(new TestService(harness).project_id)).toEqual({});
  });
});
