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
import type { AcceptanceDocument, RowDocument } from '../store/documents';
import { once, ownReconciler } from '../testing/fault-points';
import { finding, type ToldFinding } from '../testing/findings';
import { forget, forgetService } from '../testing/forgetting';
import { TestLine } from '../testing/line';
import { startReconciler, type TestReconciler } from '../testing/start-reconciler';
import { reconcileSbom } from './reconcile-sbom';

let harness: TestReconciler;

beforeAll(async () => {
  harness = await startReconciler({ processes: 2 });
});
afterAll(() => harness?.stop());

const lodash = 'lodash@1.0.0 GHSA-1 CVE-1';
const axios = 'axios@0.1.0 GHSA-2';

const as = (severity: Severity, text = lodash): ToldFinding => finding(text, { severity });

/** What is listed in these services of one project, over all pages. */
async function episodesOf(
  lines: readonly TestLine[],
  threshold: AlertThreshold = 'low',
  limit = 2,
): Promise<AlertPeriodView[]> {
  const project_id = lines[0]?.project_id ?? '';
  const service_ids = lines.map(({ service_id }) => service_id);
  return allPages(async (after) => {
    const asked = { project_id, service_ids, threshold, after, limit };
    const { body } = await harness.bus.request(listAlertPeriods, asked);
    return { items: body.episodes, next: body.next };
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
async function episodeOf(line: TestLine, threshold: AlertThreshold = 'high') {
  const [found, ...more] = await episodesOf([line], threshold);
  expect(more).toEqual([]);
  if (!found) throw new Error(`Nothing is listed at or above ${threshold}.`);
  return found;
}

async function versionsOf(project_id: string): Promise<Record<string, number>> {
  const ledgers = await allPages(async (after) => {
    const { body } = await harness.bus.request(listServiceStates, { project_id, after, limit: 2 });
    return { items: body.ledgers, next: body.next };
  });
  return Object.fromEntries(ledgers.map(({ service_id, version }) => [service_id, version]));
}

const rows = () => harness.db.collection<RowDocument>('tracked_vulnerabilities');
const acceptances = () => harness.db.collection<AcceptanceDocument>('acceptances');

async function accept({ project_id, service_id }: TestLine, vulnerability_id: string) {
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
  const scope = { project_id, service_id: service_id, expires_at: inAnHour };
  const { body } = await harness.bus.request(createAcceptance, {
    ...{ ...scope, vulnerability_id, reason: 'r' },
  });
  return body.id;
}

const takeBack = (acceptance_id: string) =>
  harness.bus.request(deleteAcceptance, { acceptance_id });

let revision = 1;

/** Changes what is said of a set, and brings one SBOM to it by itself. */
async function rescan(scan: SbomReference, ...findings: ToldFinding[]): Promise<void> {
  revision += 1;
  harness.setScan(scan.digest, ...findings);
  harness.revisions.set(scan.digest, revision);
  await harness.finish({ ...scan, lane: 'rescan', revision });
}

/** The same for many lines together, of which only one package changed. */
async function catchUp(scans: readonly SbomReference[], packages: string[]): Promise<void> {
  revision += 1;
  const ofThis = revision;
  for (const { digest } of scans) harness.revisions.set(digest, ofThis);
  const sboms = scans.map(({ lane: _l, revision: _r, attempt: _a, ...sbom }) => sbom);
  await harness.bus.publish(rescanRequested, { sboms, revision: ofThis, packages });
  const isTold = ({ sbom_id }: SbomReference): boolean =>
    harness.caughtUp.some((one) => one.revision === ofThis && one.sbom_ids.includes(sbom_id));
  await eventually(() => scans.every(isTold), { what: 'the lines are up to date' });
}

describe('What alerts tell of a row', () => {
  test('is what people need to see, and since when it is listed', async () => {
    const line = new TestLine(harness);
    const begun = Date.now();
    await line.scanned(harness.newSet(finding(lodash, { title: 'Prototype pollution' })));
    const told = await episodeOf(line);
    expect(told).toEqual({
      ...{ vulnerability_id: expect.any(String), service_id: line.service_id },
      ...{ episode: expect.any(String), notified_by: [told.episode] },
      ...{ severity: 'high', cvss_score: 7.5, cve_id: 'CVE-1', title: 'Prototype pollution' },
      ...{ package_name: 'lodash', package_version: '1.0.0', ecosystem: 'npm' },
      ...{ fixed_versions: [], first_seen_at: expect.any(String) },
    });
    expect(Date.parse(told.episode)).toBeGreaterThanOrEqual(begun);
    const [listed] = await line.listed();
    expect([told.vulnerability_id, told.first_seen_at]).toEqual([
      listed?.id,
      listed?.first_seen_at,
    ]);
  });

  test('is given without its texts where these are not stored', async () => {
    const line = new TestLine(harness);
    await line.scanned(harness.newSet(finding(lodash, { title: 'Lost' })));
    const [row] = await line.documents();
    await harness.db
      .collection<{ _id: string }>('vulnerability_details')
      .deleteOne({ _id: row?.shown?.details ?? '' });
    expect(await line.listed()).toEqual([]);
    expect(await episodeOf(line)).toMatchObject({ cve_id: 'CVE-1', title: 'CVE-1' });
  });

  test('is asked for by threshold, over several services, in pages that are together the whole', async () => {
    const one = new TestLine(harness);
    const two = new TestLine(harness, one.project_id);
    const foreign = new TestLine(harness);
    const severities = ['critical', 'high', 'medium', 'low', 'none', 'unknown'] as const;
    const digest = harness.newSet(
      ...severities.map((severity) => as(severity, `${severity}@1 GHSA-${severity}`)),
    );
    for (const line of [one, two, foreign]) await line.scanned(digest);
    const asked = [one, two, foreign];
    const expected: Record<AlertThreshold, string[]> = {
      critical: ['critical'],
      high: ['critical', 'high'],
      medium: ['critical', 'high', 'medium'],
      low: ['critical', 'high', 'low', 'medium', 'unknown'],
    };
    for (const threshold of alertThresholds) {
      for (const limit of [1, 3, 1000]) {
        const found = await episodesOf(asked, threshold, limit);
        for (const { service_id } of [one, two]) {
          const own = found.filter((told) => told.service_id === service_id);
          expect(own.map(({ severity }) => severity).sort()).toEqual(expected[threshold]);
        }
        expect(found).toHaveLength(2 * expected[threshold].length);
      }
    }
    expect(await episodesOf([foreign], 'critical')).toHaveLength(1);
    await expect(
      harness.bus.request(listAlertPeriods, {
        ...{ project_id: one.project_id, service_ids: [one.service_id], threshold: 'low' },
        ...{ after: 'nonsense', limit: 1 },
      }),
    ).rejects.toThrow();
  });

  test('is nothing of what is fixed, accepted, or of a service or project that is deleted', async () => {
    const line = new TestLine(harness);
    const other = new TestLine(harness, line.project_id);
    await line.scanned(harness.newSet(lodash, axios));
    await other.scanned(harness.newSet(lodash));
    const lodashRow = (await episodesOf([line])).find(({ cve_id }) => cve_id === 'CVE-1');
    await accept(line, lodashRow?.vulnerability_id ?? '');
    expect(await episodesOf([line, other])).toHaveLength(2);
    await line.scanned(harness.newSet(lodash));
    expect((await episodesOf([line, other])).map(({ service_id }) => service_id)).toEqual([
      other.service_id,
    ]);
    await forgetService(harness, other);
    expect(await episodesOf([line, other])).toEqual([]);
    expect(Object.keys(await versionsOf(line.project_id))).toEqual([line.service_id]);
    await forget(harness, line.project_id);
    expect(await versionsOf(line.project_id)).toEqual({});
  });
});

describe('An episode', () => {
  test('stays the same through uploads, re-scans and texts that change', async () => {
    const line = new TestLine(harness);
    const digest = harness.newSet(lodash);
    const scan = await line.scanned(digest);
    const { episode } = await episodeOf(line);
    await line.scanned(digest);
    await line.scanned(harness.newSet(finding(lodash, { title: 'Another title' }), axios));
    await rescan(scan, as('high'));
    const told = (await episodesOf([line])).filter(({ cve_id }) => cve_id === 'CVE-1');
    expect(told).toMatchObject([{ episode, title: 'Another title' }]);
  });

  test('is another one when the row is fixed and open again, also by a delete', async () => {
    const line = new TestLine(harness);
    const digest = harness.newSet(lodash);
    await line.scanned(digest);
    const first = await episodeOf(line);
    const fixedIn = await line.scanned(harness.newSet(axios));
    await line.remove(fixedIn);
    const second = await episodeOf(line);
    await line.scanned(harness.newSet());
    await line.scanned(digest);
    const third = await episodeOf(line);
    expect(third.vulnerability_id).toBe(first.vulnerability_id);
    expect(first.episode < second.episode && second.episode < third.episode).toBe(true);
  });

  test('is another one when an acceptance is taken back, or has expired by the time that it is asked for', async () => {
    const line = new TestLine(harness);
    await line.scanned(harness.newSet(lodash));
    const first = await episodeOf(line);
    await takeBack(await accept(line, first.vulnerability_id));
    const second = await episodeOf(line);
    expect(second.episode > first.episode).toBe(true);
    const id = await accept(line, first.vulnerability_id);
    const { [line.service_id]: accepted = 0 } = await versionsOf(line.project_id);
    await acceptances().updateOne({ _id: id }, { $set: { expires_at: new Date(0) } });
    const { [line.service_id]: expired = 0 } = await versionsOf(line.project_id);
    expect(expired).toBeGreaterThan(accepted);
    expect((await episodeOf(line)).episode > second.episode).toBe(true);
  });

  test('of a threshold begins when an advisory change raises the severity over it, once, in one line or in many together', async () => {
    const project = new TestLine(harness);
    const lines = [project, ...[1, 2].map(() => new TestLine(harness, project.project_id))];
    const digest = harness.newSet(as('medium'), as('high', axios));
    const scans = await Promise.all(lines.map((line) => line.scanned(digest)));
    const lodashOf = async (threshold: AlertThreshold) =>
      (await episodesOf(lines, threshold)).filter(({ cve_id }) => cve_id === 'CVE-1');
    const axiosBefore = await episodesOf(lines, 'high');
    const before = await lodashOf('medium');
    expect(await lodashOf('high')).toEqual([]);

    harness.setScan(digest, as('critical'), as('high', axios));
    await catchUp(scans, ['npm|lodash']);
    const raised = await lodashOf('critical');
    expect(raised).toHaveLength(3);
    for (const [index, told] of raised.entries()) {
      expect(told.episode > (before[index]?.episode ?? '~')).toBe(true);
      // Whoever was told of it at medium is not told again, and whoever is told of it now knows it there.
      expect((await lodashOf('medium'))[index]).toMatchObject({
        ...{ episode: before[index]?.episode, notified_by: [before[index]?.episode, told.episode] },
      });
    }
    expect((await lodashOf('high')).map(({ episode }) => episode)).toEqual(
      raised.map(({ episode }) => episode),
    );
    // What was not loaded with the package is as it was.
    const axiosAfter = (await episodesOf(lines, 'high')).filter(
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
    expect((again?.episode ?? '') > (first?.episode ?? '~')).toBe(true);
  });

  test('of a row that others were merged into is its own, and those are told no more', async () => {
    const line = new TestLine(harness);
    const scan = await line.scanned(harness.newSet('lodash@1.0.0 GHSA-1', 'lodash@1.0.0 PYSEC-1'));
    const [oldest, younger] = (await episodesOf([line])).sort((a, b) =>
      a.vulnerability_id < b.vulnerability_id ? -1 : 1,
    );
    await rescan(scan, finding('lodash@1.0.0 GHSA-1 PYSEC-1'));
    expect(await episodesOf([line])).toMatchObject([
      { vulnerability_id: oldest?.vulnerability_id, episode: oldest?.episode },
    ]);
    // Apart again: the merged one was not listed meanwhile.
    await rescan(scan, finding('lodash@1.0.0 GHSA-1'), finding('lodash@1.0.0 PYSEC-1'));
    const apart = await episodesOf([line]);
    expect(apart).toHaveLength(2);
    const back = apart.find(
      ({ vulnerability_id }) => vulnerability_id !== oldest?.vulnerability_id,
    );
    expect((back?.episode ?? '') > (younger?.episode ?? '~')).toBe(true);
  });

  test('is not lost where others write the row between the reading and the writing of a scan', async () => {
    const line = new TestLine(harness);
    await line.scanned(harness.newSet(lodash));
    const first = await episodeOf(line);
    const outcomes: string[] = [];
    const { deps } = ownReconciler(harness, {
      beforeSave: once(async () => takeBack(await accept(line, first.vulnerability_id))),
      afterSave: async (outcome) => void outcomes.push(outcome),
    });
    await reconcileSbom(deps, line.upload(harness.newSet('lodash@1.0.1 GHSA-1 CVE-1')));
    expect(outcomes).toEqual(['lost', 'saved']);
    const now = await episodeOf(line);
    expect(now).toMatchObject({ package_version: '1.0.1' });
    expect(now.episode > first.episode).toBe(true);
  });
});

describe('A row that release 1.0.1 has written', () => {
  async function oldLine(...findings: ToldFinding[]) {
    const line = new TestLine(harness);
    const scan = await line.scanned(harness.newSet(...findings));
    await rows().updateMany({ service_id: line.service_id }, { $unset: { episodes: 1 } });
    return { line, scan, first: await episodeOf(line, 'medium') };
  }

  test('is told as listed since it was first seen, and is not written for it', async () => {
    const { line, first } = await oldLine(as('high'));
    expect([first.episode, first.notified_by]).toEqual([
      first.first_seen_at,
      [first.first_seen_at],
    ]);
    const [row] = await line.documents();
    expect(row?.episodes).toBeUndefined();
    await line.scanned(harness.newSet(finding(lodash, { title: 'Another title' })));
    expect(await episodeOf(line, 'medium')).toMatchObject({
      ...{ title: 'Another title', episode: first.episode, notified_by: [first.episode] },
    });
  });

  test('begins an episode when it is raised over a threshold, or listed again', async () => {
    const { line, scan, first } = await oldLine(as('medium'));
    await rescan(scan, as('critical'));
    expect((await episodeOf(line, 'medium')).episode).toBe(first.episode);
    expect((await episodeOf(line, 'critical')).episode > first.episode).toBe(true);
    const other = await oldLine(as('high'));
    await takeBack(await accept(other.line, other.first.vulnerability_id));
    expect((await episodeOf(other.line)).episode > other.first.episode).toBe(true);
  });
});

describe('The versions of the lines of a project', () => {
  test('are those of its services in pages, and grow with every change of rows in one of them', async () => {
    const one = new TestLine(harness);
    const lines = [one, ...Array.from({ length: 4 }, () => new TestLine(harness, one.project_id))];
    const digest = harness.newSet(lodash);
    for (const line of lines) await line.scanned(digest);
    const before = await versionsOf(one.project_id);
    expect(Object.keys(before)).toEqual(lines.map(({ service_id }) => service_id).sort());
    await one.scanned(harness.newSet(axios));
    const after = await versionsOf(one.project_id);
    expect(after).toEqual({ ...before, [one.service_id]: expect.any(Number) });
    expect(after[one.service_id]).toBeGreaterThan(before[one.service_id] ?? 0);
    expect(await versionsOf(new TestLine(harness).project_id)).toEqual({});
  });
});
