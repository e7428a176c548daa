import {
  createAcceptance,
  createDecisionRule,
  deleteProjectData,
  readStatistics,
  type DayStatistics,
  type SbomReference,
} from '@bomtrail/messages';
import { AppError } from '@bomtrail/messages';
import type { Request } from '@bomtrail/messaging';
import { createLogger } from '@bomtrail/telemetry';
import { fakeCatalog, type FakeCatalog, type RegisteredService } from '../testing/fake-catalog';
import { startReconciler, type TestReconciler } from '../testing/start-reconciler';
import { createStatisticsFacts } from './store/statistics-facts';
import { createStatisticsStore } from './store/statistics-store';
import { createCoverages, updateStatistics } from './update-statistics';

let harness: TestReconciler;
let catalog: FakeCatalog;
beforeAll(async () => {
  harness = await startReconciler();
  catalog = fakeCatalog(harness);
});
afterAll(() => harness?.stop());

const dayMs = 86_400_000;
const log = createLogger({ service: 'reconciler', level: 'silent', format: 'json' });
/** Noon, so many days ago. */
const ago = (days: number): Date => {
  const today = Date.parse(`${new Date().toISOString().slice(0, 10)}T00:00:00.000Z`);
  return new Date(Math.min(Date.now(), today - days * dayMs + dayMs / 2));
};

/** A reconciled SBOM that was uploaded and scanned so many days ago. */
async function scanned(service: RegisteredService, digest: string, days: number) {
  const time = ago(days).toISOString();
  const scan: SbomReference = { ...service.upload(digest), created_at: time, scanned_at: time };
  await harness.finish(scan);
  return scan;
}

async function update(request: Request = harness.bus.request): Promise<number> {
  const { db } = harness;
  const database = { db, client: db.client, isUp: async () => true };
  const statistics = createStatisticsStore(database);
  const deps = {
    statistics,
    statisticsFacts: createStatisticsFacts(db),
    request,
    coverages: createCoverages(),
  };
  return updateStatistics(deps, { now: new Date(), until: Date.now() + 60_000, log });
}

const read = async (project_id?: string, days = 10): Promise<DayStatistics[]> => {
  const asked = project_id === undefined ? { days } : { project_id, days };
  return (await harness.bus.request(readStatistics, asked)).body.days;
};
const high = (days: DayStatistics[], name: 'open' | 'opened' | 'fixed' | 'accepted' | 'overdue') =>
  days.map((day) => day[name].high);

test('the days of a project follow from its SBOMs, and only those that differ are written again', async () => {
  const service = catalog.newService();
  const { project_id } = service;
  const [bad, good] = [harness.newSet('a@1 GHSA-1', 'b@1 GHSA-2'), harness.newSet('b@1 GHSA-2')];
  await scanned(service, bad, 4);
  const fixing = await scanned(service, good, 2);
  expect(await update()).toBe(5);
  const days = await read(project_id);
  expect(days.map(({ day }) => day)).toEqual(
    [4, 3, 2, 1, 0].map((one) => ago(one).toISOString().slice(0, 10)),
  );
  expect(high(days, 'open')).toEqual([2, 2, 1, 1, 1]);
  expect(high(days, 'opened')).toEqual([2, 0, 0, 0, 0]);
  expect(high(days, 'fixed')).toEqual([0, 0, 1, 0, 0]);
  const twoDays = (2 * dayMs) / 1000;
  expect(days[2]?.time_to_fix.high).toEqual({
    count: 1,
    mean_seconds: twoDays,
    median_seconds: twoDays,
  });
  expect(days[4]).toMatchObject({ oldest_open_at: ago(4).toISOString(), undetermined_share: 0 });
  expect(await update()).toBe(0);

  await service.remove(fixing);
  expect(await update()).toBe(3);
  expect(high(await read(project_id), 'open')).toEqual([2, 2, 2, 2, 2]);
});

test.each(['acceptance', 'rule'])(
  'an %s moves a vulnerability from open to accepted',
  async (by) => {
    const service = catalog.newService();
    await scanned(service, harness.newSet('a@1 GHSA-5', 'b@1 GHSA-7', 'c@1 GHSA-8'), 2);
    const { project_id } = service;
    const [vulnerability] = await service.activeList();
    const about = { project_id, reason: 'r', expires_at: null };
    await (by === 'rule'
      ? harness.bus.request(createDecisionRule, {
          ...about,
          name: 'r',
          decision: 'not_affected',
          filter: { package_name: 'a' },
        })
      : harness.bus.request(createAcceptance, {
          ...about,
          service_id: null,
          vulnerability_id: vulnerability?.id ?? '',
        }));
    await update();
    const days = await read(project_id);
    expect([high(days, 'open'), high(days, 'accepted')]).toEqual([
      [3, 3, 2],
      [0, 0, 1],
    ]);
  },
);

test('a project that takes very long is computed less often', async () => {
  const service = catalog.newService();
  const { project_id } = service;
  await scanned(service, harness.newSet('a@1 GHSA-3'), 1);
  await update();
  const progress = harness.db.collection<{ _id: string }>('statistics_progress');
  const set = (fields: object) => progress.updateOne({ _id: project_id }, { $set: fields });
  await set({ not_before: new Date(Date.now() + 60_000) });
  await scanned(service, harness.newSet('a@1 GHSA-3', 'b@1 GHSA-4'), 0);
  expect(await update()).toBe(0);
  await set({ not_before: new Date() });
  expect(await update()).toBe(1);
  expect(high(await read(project_id), 'open')).toEqual([1, 2]);
  await set({ not_before: new Date(Date.now() + 60_000), computed_at: ago(1) });
  await scanned(service, harness.newSet('a@1 GHSA-3'), 0);
  expect(await update()).toBe(1);
});

test('all projects together are their sum, without those that are deleted', async () => {
  const [one, other] = [catalog.newService(), catalog.newService()];
  for (const service of [one, other]) await scanned(service, harness.newSet('a@1 GHSA-6'), 1);
  await update();
  const today = async () => (await read(undefined, 1))[0]?.open.high ?? 0;
  const before = await today();
  const { project_id } = other;
  await harness.bus.request(deleteProjectData('reconciler'), { project_id, hide_only: true });
  expect(await today()).toBe(before - 1);
  expect(await read(project_id)).toEqual([]);
  await harness.bus.request(deleteProjectData('reconciler'), { project_id });
  await update();
  expect(await today()).toBe(before - 1);
  const left = await harness.db.collection('daily_statistics').countDocuments({ project_id });
  expect(left).toBe(0);
});

test('while the catalog is away, a round asks it once and ends', async () => {
  const services = [1, 2, 3].map(() => catalog.newService());
  for (const service of services) await scanned(service, harness.newSet('a@1 GHSA-9'), 1);
  let asked = 0;
  const away: Request = () => {
    asked += 1;
    return Promise.reject(new AppError('service_unavailable', 'The catalog does not answer.'));
  };
  await expect(update(away)).rejects.toMatchObject({ code: 'service_unavailable' });
  expect(asked).toBe(1);
  expect(await update()).toBeGreaterThanOrEqual(3);
});
