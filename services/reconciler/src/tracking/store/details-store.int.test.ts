import { listActive } from '@bomtrail/messages';
import { randomUUID } from 'node:crypto';
import { deleteProject } from '../../testing/deletion-helpers';
import { finding } from '../../testing/findings';
import { TestService } from '../../testing/service';
import { costOf } from '../../testing/profiled';
import { startReconciler, type TestReconciler } from '../../testing/start-reconciler';
import { createDetailsGarbage } from './details-garbage';
import { unrated } from '../../risk/domain/risk-values';
import { createRiskStore } from '../../risk/store/risk-store';
import { createDetailsStore } from './details-store';
import type { DetailsDocument } from './documents';

let harness: TestReconciler;

beforeAll(async () => {
  harness = await startReconciler();
});
afterAll(() => harness?.stop());

const past = (): Date => new Date(Date.now() + 1);

/** A service whose only vulnerability shows details of its own; gives how to look at them. */
async function aService() {
  const service = new TestService(harness);
  await service.scanned(harness.newSet(finding(`lodash@1.0.0 GHSA-${randomUUID()}`)));
  const [vulnerability] = await service.documents();
  const hash = vulnerability?.details_id ?? '';
  const found = harness.db.collection<DetailsDocument>('vulnerability_details');
  const isStored = async () => (await found.countDocuments({ _id: hash })) === 1;
  const text = async () => {
    const all = await found.findOne({ _id: hash });
    if (!all) throw new Error('It is stored.');
    return new Map([[all._id, all]]);
  };
  return { service, hash, isStored, text };
}

/** A process that has not seen anything yet. */
const aStore = () => createDetailsStore(harness.db, 60_000);

const garbage = () => createDetailsGarbage(harness.db);

/** Walks over all details, whatever other tests left. */
async function markAll(): Promise<void> {
  await harness.db.collection('walks').deleteMany({});
  await garbage().markUnused(new Date());
}

describe('what people read about a vulnerability', () => {
  test('is deleted a grace period after no vulnerability refers to it any more', async () => {
    const [gone, retained] = [await aService(), await aService()];
    while (await deleteProject(harness, gone.service.project_id));
    await markAll();
    await garbage().deleteUnused(new Date(Date.now() - 60_000));
    expect(await gone.isStored()).toBe(true);
    await garbage().deleteUnused(past());
    expect([await gone.isStored(), await retained.isStored()]).toEqual([false, true]);
    expect(await retained.service.activeList()).toHaveLength(1);
  });

  test('that is stored again while it is to go stays, and is read without its mark', async () => {
    const { service, hash, isStored, text } = await aService();
    const reported = await text();
    while (await deleteProject(harness, service.project_id));
    await markAll();
    expect(Object.keys((await aStore().read([hash])).get(hash) ?? {})).not.toContain('marked_at');
    await aStore().save(reported);
    await garbage().deleteUnused(past());
    expect(await isStored()).toBe(true);
    await markAll();
    await garbage().deleteUnused(past());
    expect(await isStored()).toBe(false);
    await aStore().save(reported);
    expect(await isStored()).toBe(true);
  });

  test('is read once by a process, and given again from memory', async () => {
    const [one, other] = [await aService(), await aService()];
    const store = aStore();
    const first = await store.read([one.hash]);
    const cost = (hashes: string[]) =>
      costOf(harness.db, ['vulnerability_details'], async () => {
        const found = await store.read(hashes);
        expect([...found.keys()].sort()).toEqual([...hashes].sort());
        expect(found.get(one.hash)).toEqual(first.get(one.hash));
      });
    expect((await cost([one.hash])).examined).toEqual({ vulnerability_details: 0 });
    expect((await cost([one.hash, other.hash])).examined).toEqual({ vulnerability_details: 1 });
  });

  test('that a vulnerability refers to again by the time of the check is kept', async () => {
    const { service, hash, isStored } = await aService();
    const found = harness.db.collection<DetailsDocument>('vulnerability_details');
    await found.updateOne({ _id: hash }, { $set: { marked_at: new Date(0) } });
    await garbage().deleteUnused(past());
    expect(await isStored()).toBe(true);
    expect(await found.countDocuments({ _id: hash, marked_at: { $exists: true } })).toBe(0);
    expect(await service.activeList()).toHaveLength(1);
  });

  test('leaves the active list a grace period after the last open vulnerability, and returns with the next', async () => {
    const { service, hash } = await aService();
    const found = harness.db.collection<DetailsDocument>('vulnerability_details');
    const hasOpen = async () => (await found.findOne({ _id: hash }))?.has_open;
    const affected = [...harness.scans.values()].at(-1) ?? [];
    await service.scanned(harness.newSet());
    await markAll();
    await garbage().deleteUnused(new Date(Date.now() - 60_000));
    expect(await hasOpen()).toBe(true);
    await garbage().deleteUnused(past());
    expect(await hasOpen()).toBe(false);
    await markAll();
    await garbage().deleteUnused(past());
    expect(await found.countDocuments({ _id: hash })).toBe(1);
    // A process that has not seen the details.
    await harness.stopProcesses();
    await harness.startProcess();
    await service.scanned(harness.newSet(...affected));
    expect(await service.activeList()).toHaveLength(1);
  });

  test('gets EPSS scores without a write to any vulnerability, and lists are sorted by them', async () => {
    const service = new TestService(harness);
    const names = ['a', 'b', 'c'];
    await service.scanned(harness.newSet(...names.map((name) => `${name}@1 GHSA-${randomUUID()}`)));
    const before = await service.documents();
    const [a = '', b = '', c = ''] = before.map(({ details_id }) => details_id ?? '');
    const rated = (epss_score: number | null) => ({ ...unrated, epss_score });
    await createRiskStore(harness.db).write(
      new Map([
        [a, rated(0.2)],
        [b, rated(0.9)],
        [c, rated(null)],
      ]),
    );
    for (const [order, expected] of [
      ['asc', 'abc'],
      ['desc', 'bac'],
    ] as const) {
      const { service_id } = service;
      const page = { page: 1, per_page: 10, sort: 'epss_score', order, service_id } as const;
      const { body } = await harness.bus.request(listActive, page);
      expect(body.items.map(({ package_name }) => package_name).join('')).toBe(expected);
    }
    expect(await service.documents()).toEqual(before);
  });

  test('is searched along an index of the vulnerabilities', async () => {
    const { hash } = await aService();
    const plan = await harness.db
      .collection('tracked_vulnerabilities')
      .find({ details_id: hash })
      .explain('queryPlanner');
    expect(JSON.stringify(plan)).toContain('"indexName":"details"');
  });
});
