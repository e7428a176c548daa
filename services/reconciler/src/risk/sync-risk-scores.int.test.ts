import {
  countFindings,
  listActive,
  type FailingVulnerability,
  type ListFilters,
} from '@bomtrail/messages';
import { eventually } from '@bomtrail/testkit';
import { gunzipSync } from 'node:zlib';
import { finding } from '../testing/findings';
import { TestService } from '../testing/service';
import { type RiskStateDocument, createRiskStore } from './store/risk-store';
import { startReconciler, type TestReconciler } from '../testing/start-reconciler';

let harness: TestReconciler;

beforeAll(async () => {
  harness = await startReconciler({ sweepRate: 8 });
});
afterAll(() => harness?.stop());

const cve = (n: number) => `CVE-2031-${String(n).padStart(4, '0')}`;

/** A feed gives a CVE a score, with the next revision. */
function setScore(id: string, score: number | null, exploited?: string): void {
  harness.riskRevision += 1;
  harness.riskScores.set(id, {
    cve: id,
    epss: score === null ? null : { score, percentile: 0.5 },
    kev: exploited ? { date_added: exploited, due_date: null, ransomware: false } : null,
    exploited_known_at: exploited ? '2031-07-01T00:00:00.000Z' : null,
    revision: harness.riskRevision,
  });
}

async function listed(service: TestService, sort: 'risk' | 'kev' | 'epss_score') {
  const { service_id } = service;
  const page = { page: 1, per_page: 10, sort, order: 'desc', service_id } as const;
  return (await harness.bus.request(listActive, page)).body.items;
}

test('a new vulnerability has its scores at once', async () => {
  setScore(cve(1), 0.25);
  const service = new TestService(harness);
  await service.scanned(harness.newSet(`a@1 ${cve(1)}`));
  expect(await listed(service, 'risk')).toMatchObject([
    { cve_id: cve(1), epss_score: 0.25, epss_percentile: 0.5, kev: null },
  ]);
});

test('a notice of a distribution has the scores of the CVEs that it fixes, and no decision about them', async () => {
  setScore(cve(20), 0.75);
  setScore(cve(21), 0.25, '2031-05-01');
  const service = new TestService(harness);
  const upstream = [cve(20), cve(21)];
  const notice = finding('kernel@1 RHSA-2031:1', { upstream });
  await service.scanned(harness.newSet(notice, `other@1 ${cve(20)}`));
  const [vulnerability] = (await service.documents()).filter(({ package_key }) =>
    package_key.endsWith('other'),
  );
  await service.accept(vulnerability);
  expect(await listed(service, 'risk')).toMatchObject([
    {
      cve_id: 'RHSA-2031:1',
      upstream,
      epss_score: 0.75,
      kev: { date_added: '2031-05-01' },
      decision: null,
    },
  ]);
});

test('a new day changes lists and orders, and writes no tracked vulnerability', async () => {
  const service = new TestService(harness);
  await service.scanned(harness.newSet(`a@1 ${cve(2)}`, `b@1 ${cve(3)}`));
  const before = await service.documents();
  setScore(cve(2), 0.1);
  setScore(cve(3), 0.01, '2031-05-01');
  await eventually(
    async () => (await listed(service, 'kev'))[0]?.kev?.date_added === '2031-05-01',
    { what: 'the sweep applies the new day' },
  );
  const names = async (sort: 'risk' | 'kev' | 'epss_score') =>
    (await listed(service, sort)).map(({ package_name }) => package_name).join('');
  expect([await names('epss_score'), await names('kev'), await names('risk')]).toEqual([
    'ab',
    'ba',
    'ba',
  ]);
  expect(await service.documents()).toEqual(before);
});

test('no row contradicts the list that is selected or ordered by the new day, though its values were just read', async () => {
  const service = new TestService(harness);
  setScore(cve(30), 0.3);
  setScore(cve(31), 0.2);
  await service.scanned(harness.newSet(`a@1 ${cve(30)}`, `b@1 ${cve(31)}`));
  const { service_id } = service;
  const all = { page: 1, per_page: 10, service_id, sort: 'cve_id', order: 'asc' } as const;
  const page = async (by: Pick<ListFilters, 'kev' | 'min_epss'> & { sort?: 'epss_score' }) =>
    (await harness.bus.request(listActive, { ...all, ...by })).body.items;
  const risks = () => page({});
  expect(await risks()).toMatchObject([{ epss_score: 0.3 }, { epss_score: 0.2 }]);
  setScore(cve(31), 0.9, '2031-05-01');
  const exploited = await eventually(
    async () => {
      await risks();
      const found = await page({ kev: true });
      return found.length > 0 && found;
    },
    { what: 'the sweep applies the new day' },
  );
  expect(exploited).toMatchObject([{ kev: { date_added: '2031-05-01' }, epss_score: 0.9 }]);
  await risks();
  expect(await page({ min_epss: 0.5 })).toMatchObject([{ epss_score: 0.9 }]);
});

test('AL6 what a killed process may have stored counts in the revisions that alerts read', async () => {
  const read = () => createRiskStore(harness.db).revisions();
  const before = await read();
  const states = harness.db.collection<RiskStateDocument>('risk_state');
  await states.updateOne(
    { _id: 'risk' },
    { $set: { uncounted: { kev: true, epss: false } } },
    { upsert: true },
  );
  await eventually(async () => expect(await read()).toEqual({ ...before, kev: before.kev + 1 }), {
    what: 'the next sweep counts it',
  });
});

test('a gate counts what is known to be exploited, and what is likely to be', async () => {
  setScore(cve(4), 0.9);
  setScore(cve(5), 0.001, '2031-06-01');
  const service = new TestService(harness);
  const digest = harness.newSet(`a@1 ${cve(4)}`, `b@1 ${cve(5)}`, `c@1 ${cve(6)}`);
  const { sbom_id } = await service.scanned(digest);
  const gate = {
    service_id: service.service_id,
    sbom: { sbom_id, digest },
    baseline: 'none' as const,
    fail_on: 'critical' as const,
    only_new: false,
  };
  const failing = async (rule: { fail_on_kev?: boolean; max_epss?: number }) => {
    const { attachment } = await harness.bus.request(countFindings, { ...gate, ...rule });
    const found = JSON.parse(
      gunzipSync(attachment ?? Buffer.alloc(0)).toString(),
    ) as FailingVulnerability[];
    return found.map(({ cve_id, failed_rules }) => `${cve_id} ${failed_rules.join()}`).sort();
  };
  expect(await failing({})).toEqual([]);
  expect(await failing({ fail_on_kev: true })).toEqual([`${cve(5)} fail_on_kev`]);
  expect(await failing({ max_epss: 0.5 })).toEqual([`${cve(4)} max_epss`]);
  expect(await failing({ fail_on_kev: true, max_epss: 0 })).toEqual([
    `${cve(4)} max_epss`,
    `${cve(5)} fail_on_kev,max_epss`,
  ]);
});
