import { findAffected, deleteProjectData } from '@bomtrail/messages';
import { finding } from '../testing/findings';
import { TestService } from '../testing/service';
import { startReconciler, type TestReconciler } from '../testing/start-reconciler';

let harness: TestReconciler;
let shop: TestService;
let till: TestService;
let foreign: TestService;

beforeAll(async () => {
  harness = await startReconciler();
  shop = new TestService(harness);
  till = new TestService(harness, shop.project_id);
  foreign = new TestService(harness);
  const digest = harness.newSet('lodash@1.0.0 GHSA-1 CVE-2026-0001', 'qs@1.0.0 GHSA-2');
  for (const service of [shop, till, foreign]) await service.scanned(digest);
});
afterAll(() => harness?.stop());

async function send(id: string, rest: { project_id?: string; page?: number; per_page?: number }) {
  const requested = { page: 1, per_page: 50, ...rest, id };
  return (await harness.bus.request(findAffected, requested)).body;
}

const servicesWith = async (id: string, project_id?: string): Promise<string[]> =>
  (await send(id, project_id === undefined ? {} : { project_id })).items.map(
    (vulnerability) => vulnerability.service_id,
  );

describe('who has a vulnerability now', () => {
  test('is found by any of its ids, in any case, sorted by project and then by age', async () => {
    const all = [shop.service_id, till.service_id, foreign.service_id];
    for (const id of ['CVE-2026-0001', 'ghsa-1', ' Cve-2026-0001 ']) {
      expect(await servicesWith(id)).toEqual(all);
    }
    expect(await servicesWith('CVE-2026-000')).toEqual([]);
    expect(await servicesWith('CVE-2026-0001', shop.project_id)).toEqual(all.slice(0, 2));
  });

  test('is found by the CVEs that a notice of a distribution fixes', async () => {
    const service = new TestService(harness);
    const notice = finding('kernel@1 RHSA-2026:1', { upstream: ['CVE-2026-71', 'CVE-2026-72'] });
    await service.scanned(harness.newSet(notice));
    for (const id of ['cve-2026-72', 'RHSA-2026:1'])
      expect(await servicesWith(id)).toEqual([service.service_id]);
  });

  test('comes in pages that together are the whole', async () => {
    const pages = await Promise.all(
      [1, 2, 3, 4].map((page) => send('GHSA-1', { page, per_page: 1 })),
    );
    expect(pages.map(({ items, total }) => [items[0]?.service_id, total])).toEqual([
      [shop.service_id, 3],
      [till.service_id, 3],
      [foreign.service_id, 3],
      [undefined, 3],
    ]);
  });

  test('contains what was accepted, with that word, and nothing that is fixed', async () => {
    const service = new TestService(harness);
    await service.scanned(harness.newSet('a@1 GHSA-77', 'b@1 GHSA-77'));
    const [vulnerability] = await service.documents();
    await service.accept(vulnerability);
    const { items } = await send('GHSA-77', {});
    expect(items.map(({ status }) => status)).toEqual(['accepted', 'accepted']);
    await service.scanned(harness.newSet('b@2 GHSA-77'));
    expect((await send('GHSA-77', {})).items).toMatchObject([{ package_name: 'b' }]);
    await service.scanned(harness.newSet());
    expect(await servicesWith('GHSA-77')).toEqual([]);
  });

  test('is found by a former id too, which is marked as such', async () => {
    const service = new TestService(harness);
    const digest = harness.newSet('a@1 GHSA-88 CVE-2026-8888');
    const scan = await service.scanned(digest);
    expect((await send('CVE-2026-8888', {})).items).toMatchObject([{ former_id: false }]);
    harness.setScan(digest, 'a@1 GHSA-88');
    await harness.finish({ ...scan, lane: 'rescan', revision: 2 });
    expect((await send('CVE-2026-8888', {})).items).toMatchObject([
      { service_id: service.service_id, former_id: true, aliases: ['GHSA-88'] },
    ]);
  });

  test('is found after two groups became one, by every id of both', async () => {
    const service = new TestService(harness);
    const digest = harness.newSet('c@1 GHSA-91', 'c@1 PYSEC-91');
    const scan = await service.scanned(digest);
    harness.setScan(digest, 'c@1 GHSA-91 PYSEC-91 CVE-2026-0091');
    await harness.finish({ ...scan, lane: 'rescan', revision: 2 });
    for (const id of ['GHSA-91', 'PYSEC-91', 'CVE-2026-0091']) {
      expect(await servicesWith(id)).toEqual([service.service_id]);
    }
  });

  test('contains nothing of a deleted project', async () => {
    const service = new TestService(harness);
    await service.scanned(harness.newSet('a@1 GHSA-99'));
    expect(await servicesWith('GHSA-99')).toEqual([service.service_id]);
    const { project_id } = service;
    await harness.bus.request(deleteProjectData('reconciler'), { project_id });
    expect(await servicesWith('GHSA-99')).toEqual([]);
    expect(await servicesWith('GHSA-99', project_id)).toEqual([]);
  });

  test('is answered from an index', async () => {
    await harness.db.command({ profile: 2 });
    await send('GHSA-1', {});
    await harness.db.command({ profile: 0 });
    const seen = await harness.db
      .collection('system.profile')
      .find({ ns: /tracked_vulnerabilities$/, 'command.filter.$and.$or.former_ids': 'GHSA-1' })
      .toArray();
    expect(seen.map(({ planSummary }) => planSummary as string)).toEqual([
      expect.stringMatching(/^IXSCAN \{ (details_id|former_ids): 1.*, IXSCAN/),
    ]);
  });
});
