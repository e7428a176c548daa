import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Db } from 'mongodb';
import type { MatchedComponent } from '../domain/component';
import type { SetSummary } from '../domain/component-set';
import { startTestDatabases, type TestDatabases } from '../../testing/test-databases';
import { createComponentSetStore } from './component-set-store';
import { createMatchPages } from './match-pages';

let databases: TestDatabases;
let db: Db;

beforeAll(async () => {
  databases = await startTestDatabases();
  db = await databases.open('component_sets');
});
afterAll(() => databases?.stop());

/** More hits than one page takes. */
function summaryOf(label: string): SetSummary {
  const matched = Array.from({ length: 12_000 }, (_one, n): MatchedComponent => {
    const purl = `pkg:npm/${label}-${n}@1.0.0`;
    return {
      purl,
      package_name: label,
      package_version: '',
      is_direct: true,
      version_id: purl,
      package_key: `npm|${label}`,
      matches: 1,
    };
  });
  return { matched, counts: { components: matched.length, evaluated: {}, undetermined: {} } };
}

test('a save at an older revision leaves alone the pages of a later one that is being saved', async () => {
  const store = createComponentSetStore(db);
  const [older, later] = [summaryOf('older'), summaryOf('later')];
  // The later save has written its pages and not its summary yet when the older one runs through.
  await createMatchPages(db).save('d', 2, [
    later.matched.slice(5000, 10_000),
    later.matched.slice(10_000),
  ]);
  await store.save('d', older, { revision: 1, change: false });
  expect(await db.collection('component_set_matches').countDocuments({ revision: 2 })).toBe(2);
  expect((await store.read('d'))?.matched).toEqual(older.matched);

  await store.save('d', later, { revision: 2, change: true });
  expect((await store.read('d'))?.matched).toEqual(later.matched);
  expect(await db.collection('component_set_matches').countDocuments({ revision: 1 })).toBe(0);
});

test('saves of one set at the same time leave the whole summary of the latest revision', async () => {
  const store = createComponentSetStore(db);
  for (let round = 0; round < 3; round += 1) {
    const digest = `both-${round}`;
    const [older, later] = [summaryOf('older'), summaryOf('later')];
    await Promise.all([
      store.save(digest, later, { revision: 2, change: true }),
      store.save(digest, older, { revision: 1, change: false }),
    ]);
    expect(await store.read(digest)).toMatchObject({ revision: 2, matched: later.matched });
  }
});

test('a set of which a page is missing is an error to be tried again, not an endless wait', async () => {
  const store = createComponentSetStore(db);
  await store.save('torn', summaryOf('torn'), { revision: 1, change: false });
  await db.collection('component_set_matches').deleteMany({ digest: 'torn' });
  await expect(store.read('torn')).rejects.toMatchObject({ code: 'service_unavailable' });
});

test('a first evaluation replaces none of an older revision or of other rules', async () => {
  const store = createComponentSetStore(db);
  const counts = { components: 0, evaluated: {}, undetermined: {} };
  const save = (revision: number): Promise<boolean> =>
    store.save('first', { matched: [], counts }, { revision, change: false, isFirst: true });
  expect([await save(1), await save(1), await save(2)]).toEqual([true, true, false]);
  expect(await store.readEvaluation('first')).toEqual({ is: 'current', revision: 1 });
  const sets = db.collection<{ _id: string }>('component_sets');
  await sets.updateOne({ _id: 'first' }, { $set: { rules: 0 } });
  expect(await save(1)).toBe(false);
  await store.beginDeletion('first');
  expect(await save(2)).toBe(true);
  await store.beginChange(['placeholder'], 2);
  const later = { revision: 2, change: false, isFirst: true };
  expect(await store.save('placeholder', { matched: [], counts }, later)).toBe(true);
});

test('a change saved while another one is not published keeps the moment of that', async () => {
  const store = createComponentSetStore(db);
  const counts = { components: 0, evaluated: {}, undetermined: {} };
  const moment = new Date('2026-01-01T00:00:00Z');
  const save = (revision: number, change: boolean): Promise<boolean> =>
    store.save('moment', { matched: [], counts }, { revision, change });
  await save(1, false);
  await store.markChanged(['moment'], 2, moment);
  await save(2, true);
  const sets = db.collection<{ _id: string }>('component_sets');
  const told = { changed_revision: 2, unpublished: true, changed_at: moment };
  expect(await sets.findOne({ _id: 'moment' })).toMatchObject(told);
});

test('a change recorded late leaves that of a later revision as it is', async () => {
  const store = createComponentSetStore(db);
  const counts = { components: 0, evaluated: {}, undetermined: {} };
  await store.save('late', { matched: [], counts }, { revision: 1, change: false });
  await store.markChanged(['late'], 2, new Date());
  await store.markChanged(['late'], 3, new Date());
  const sets = db.collection<{ _id: string }>('component_sets');
  const change = await sets.findOne({ _id: 'late' });
  expect(change).toMatchObject({ changed_revision: 3, unpublished: true });
  await store.markChanged(['late'], 2, new Date(0));
  expect(await sets.findOne({ _id: 'late' })).toEqual(change);
  await store.save('late', { matched: [], counts }, { revision: 2, change: true });
  expect(await sets.findOne({ _id: 'late' })).toMatchObject({ changed_revision: 3 });
  await store.markPublished(['late'], 3);
  await store.markChanged(['late'], 2, new Date(0));
  expect(await sets.findOne({ _id: 'late' })).not.toHaveProperty('unpublished');
});
