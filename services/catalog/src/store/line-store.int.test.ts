import { randomUUID } from 'node:crypto';
import { inTransaction } from '@bomtrail/service-kit';
import { startCatalog, type TestCatalog } from '../testing/start-catalog';
import { createDeletionStore } from './deletion-store';
import { createLineStore } from './line-store';

let catalog: TestCatalog;

beforeAll(async () => {
  catalog = await startCatalog();
}, 120_000);
afterAll(() => catalog?.stop());

/** A line with its first SBOM, as an upload has read and prepared it. */
async function prepared() {
  const { id: project_id } = await catalog.newProject();
  const { id } = await catalog.upload({ project_id, service_name: 'old' });
  const old = await catalog.lines.findOne({ project_id });
  const record = await catalog.sboms.findOne({ _id: id });
  if (!old || !record) throw new Error('They were stored.');
  const line = { ...old, _id: randomUUID(), name: 'new' };
  const first = { ...record, _id: randomUUID(), line_id: line._id };
  const next = { ...record, _id: randomUUID(), seq: 2 };
  const store = createLineStore(catalog.database);
  return { project_id, old, line, first, next, store };
}

describe('an upload that found its project before a delete', () => {
  test('begins no line after it', async () => {
    const { project_id, line, first, store } = await prepared();
    await createDeletionStore(catalog.database).beginProject(project_id, new Date());
    expect(await store.begin(line, first)).toBe('gone');
    expect(await catalog.lines.findOne({ _id: line._id })).toBeNull();
    expect(await catalog.sboms.findOne({ _id: first._id })).toBeNull();
  });

  test('begins no line beside it', async () => {
    const { project_id, line, first, store } = await prepared();
    let begun: Promise<string> = Promise.resolve('');
    await inTransaction(catalog.database.client, async (session) => {
      await catalog.projects.deleteOne({ _id: project_id }, { session });
      begun = store.begin(line, first);
      // It waits for this transaction; without a conflict it would be done long before.
      const first200ms = new Promise((resolve) => setTimeout(resolve, 200, 'waits'));
      expect(await Promise.race([begun, first200ms])).toBe('waits');
    });
    expect(await begun).toBe('gone');
    expect(await catalog.lines.findOne({ _id: line._id })).toBeNull();
  });

  test('appends nothing to a line that is gone', async () => {
    const { project_id, old, next, store } = await prepared();
    const deletions = createDeletionStore(catalog.database);
    await deletions.beginProject(project_id, new Date());
    await deletions.dropLinesOf(project_id);
    expect(await store.append(old, next)).toBe('lost');
    expect(await catalog.sboms.findOne({ _id: next._id })).toBeNull();
  });
});
