import { randomUUID } from 'node:crypto';
import { inTransaction } from '@bomtrail/mongo';
import { startCatalog, type TestCatalog } from '../testing/start-catalog';
import { createDeletionStore } from './deletion-store';
import { createRegistrationStore, type Growth } from './registration-store';

let catalog: TestCatalog;

beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog?.stop());

/** A line with its first SBOM, and what uploads that have read it would save. */
async function prepared() {
  const { id: project_id } = await catalog.newProject();
  const { id } = await catalog.upload({ project_id, service_name: 'old' });
  const old = await catalog.services.findOne({ project_id });
  const record = await catalog.sboms.findOne({ _id: id });
  if (!old || !record) throw new Error('They were stored.');
  const service = { ...old, _id: randomUUID(), name: 'new' };
  const first = { ...record, _id: randomUUID(), service_id: service._id };
  const next = { ...record, _id: randomUUID(), seq: 2 };
  const begins: Growth = { service, seq: null, added: [first] };
  const grows: Growth = { service: old, seq: 1, added: [next] };
  const isStored = async ({ added }: Growth): Promise<boolean> =>
    (await catalog.sboms.countDocuments({ _id: { $in: added.map(({ _id }) => _id) } })) > 0;
  return { project_id, begins, grows, isStored, store: createRegistrationStore(catalog.database) };
}

describe('an upload that found its project before a delete', () => {
  test('creates no service after it', async () => {
    const { project_id, begins, isStored, store } = await prepared();
    await createDeletionStore(catalog.database).beginProject(project_id, new Date());
    expect(await store.save([begins], Infinity)).toBe('lost');
    expect(await catalog.services.findOne({ _id: begins.service._id })).toBeNull();
    expect(await isStored(begins)).toBe(false);
  });

  test('creates no service concurrently', async () => {
    const { project_id, begins, store } = await prepared();
    let begun: Promise<string> = Promise.resolve('');
    await inTransaction(catalog.database.client, async (session) => {
      await catalog.projects.deleteOne({ _id: project_id }, { session });
      begun = store.save([begins], Infinity);
      // It waits for this transaction; without a conflict it would be done long before.
      const first200ms = new Promise((resolve) => setTimeout(resolve, 200, 'waits'));
      expect(await Promise.race([begun, first200ms])).toBe('waits');
    });
    expect(await begun).toBe('lost');
    expect(await catalog.services.findOne({ _id: begins.service._id })).toBeNull();
  });

  test('appends nothing to a deleted service', async () => {
    const { project_id, grows, isStored, store } = await prepared();
    const deletions = createDeletionStore(catalog.database);
    await deletions.beginProject(project_id, new Date());
    await deletions.dropServicesOf(project_id);
    expect(await store.save([grows], Infinity)).toBe('lost');
    expect(await isStored(grows)).toBe(false);
  });
});

describe('of what is saved together', () => {
  test('nothing is stored if another process changed one service', async () => {
    const { begins, grows, isStored, store } = await prepared();
    const stale = { ...grows, seq: 7 };
    expect(await store.save([begins, stale], 3)).toBe('lost');
    expect(await isStored(begins)).toBe(false);
    expect(await isStored(grows)).toBe(false);
    expect(await store.save([begins, grows], 3)).toBe('done');
  });

  test('nothing is stored if another process created one service', async () => {
    const { begins, grows, isStored, store } = await prepared();
    const taken: Growth = { ...begins, service: { ...begins.service, name: 'old' } };
    expect(await store.save([grows, taken], 3)).toBe('lost');
    expect(await isStored(grows)).toBe(false);
    expect(await isStored(taken)).toBe(false);
  });

  test('nothing waits for a transaction that does not end', async () => {
    const { project_id, begins, store } = await prepared();
    await inTransaction(catalog.database.client, async (session) => {
      await catalog.projects.updateOne(
        { _id: project_id },
        { $inc: { services_begun: 1 } },
        { session },
      );
      expect(await store.save([begins], 3)).toBe('blocked');
    });
    expect(await store.save([begins], 3)).toBe('done');
  });
});
