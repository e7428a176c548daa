import {
  listAlertPeriods,
  listServiceStates,
  type AlertPeriodView,
  type AlertThreshold,
} from '@bomtrail/messages';
import { eventually } from '@bomtrail/testkit';
import { finding } from '../testing/findings';
import { TestService } from '../testing/service';
import { startReconciler, type TestReconciler } from '../testing/start-reconciler';

let harness: TestReconciler;

beforeAll(async () => {
  harness = await startReconciler({ sweepRate: 8 });
});
afterAll(() => harness?.stop());

interface AskedFor {
  limit?: number;
  kev?: boolean;
  min_epss?: number | null;
}

/** What is listed in these services of one project, over all pages. */
async function listedOf(
  services: readonly TestService[],
  threshold: AlertThreshold | null,
  { limit = 2, kev = false, min_epss = null }: AskedFor,
): Promise<AlertPeriodView[]> {
  const project_id = services[0]?.project_id ?? '';
  const service_ids = services.map(({ service_id }) => service_id);
  const asked = { project_id, service_ids, threshold, limit, kev, min_epss };
  const read = async (after: string | null) =>
    (await harness.bus.request(listAlertPeriods, { ...asked, after })).body;
  const found: AlertPeriodView[] = [];
  let page = await read(null);
  while (page.next !== null) {
    found.push(...page.alert_periods);
    page = await read(page.next);
  }
  return [...found, ...page.alert_periods];
}

/** A feed gives a CVE these values, with the next revision. */
function rate(cve: string, values: { epss?: number; kev?: string }): void {
  const { epss, kev } = values;
  harness.riskRevision += 1;
  harness.riskScores.set(cve, {
    cve,
    epss: epss === undefined ? null : { score: epss, percentile: 0.5 },
    kev: kev === undefined ? null : { date_added: kev, due_date: null, ransomware: false },
    exploited_known_at: kev === undefined ? null : '2031-07-01T00:00:00.000Z',
    revision: harness.riskRevision,
  });
}

test('AL5 what is known to be exploited, or likely, is listed below the threshold, once its values count in the revisions', async () => {
  const services = [new TestService(harness)];
  const [{ project_id }] = services as [TestService];
  services.push(new TestService(harness, project_id));
  const low = (text: string) => finding(text, { severity: 'low' });
  const all = [low('a@1 CVE-2032-0001'), low('b@1 CVE-2032-0002'), low('c@1 CVE-2032-0003')];
  for (const service of services)
    await service.scanned(
      harness.newSet(...all, finding('lodash@1.0.0 CVE-1', { severity: 'high' })),
    );
  const read = async () => {
    const page = { project_id, after: null, limit: 10 };
    return (await harness.bus.request(listServiceStates, page)).body;
  };
  const before = await read();
  rate('CVE-2032-0001', { kev: '2031-06-30' });
  rate('CVE-2032-0002', { epss: 0.5 });
  rate('CVE-2032-0003', { epss: 0.4 });
  await eventually(
    async () => {
      const { risk } = await read();
      expect(risk.kev).toBeGreaterThan(before.risk.kev);
      expect(risk.epss).toBeGreaterThan(before.risk.epss);
      const listed = await listedOf(services, null, { kev: true, min_epss: 0.4 });
      expect(listed).toHaveLength(6);
    },
    { what: 'the revisions count the new values' },
  );
  expect((await read()).states).toEqual(before.states);
  const listed = async (threshold: AlertThreshold | null, asked: AskedFor) => {
    const found = await listedOf(services, threshold, asked);
    return found.map(({ package_name }) => package_name).join(' ');
  };
  expect(await listed('high', {})).toBe('lodash lodash');
  expect(await listed('high', { kev: true })).toBe('a lodash a lodash');
  expect(await listed(null, { kev: true })).toBe('a a');
  expect(await listed(null, { min_epss: 0.5, limit: 1 })).toBe('b b');
  expect(await listed(null, { kev: true, min_epss: 0.4 })).toBe('a b c a b c');
  expect(await listed(null, {})).toBe('');
  const [exploited] = await listedOf(services, null, { kev: true });
  expect(exploited).toMatchObject({
    reaches_threshold: false,
    kev: { date_added: '2031-06-30' },
    exploited_known_at: '2031-07-01T00:00:00.000Z',
    period_start: exploited?.open_since,
  });
});
