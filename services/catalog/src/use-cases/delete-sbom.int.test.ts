import { randomUUID } from 'node:crypto';
import {
  deleteSbom,
  findReferences,
  getSbom,
  listProjectHistory,
  requestRescans,
  type ContentNames,
  type UploadResult,
} from '@bomtrail/messages';
import { eventually } from '@bomtrail/testkit';
import { anySha, rescanOf, startCatalog, type TestCatalog } from '../testing/start-catalog';

let catalog: TestCatalog;
let endReconciler = (): void => {};

beforeAll(async () => {
  catalog = await startCatalog({ processes: 2 });
});
afterEach(() => endReconciler());
afterAll(() => catalog?.stop());

const remove = (sbom_id: string) => catalog.bus.request(deleteSbom, { sbom_id });

async function historyOf(project_id: string): Promise<string[]> {
  const { body } = await catalog.bus.request(listProjectHistory, {
    project_id,
    page: 1,
    per_page: 200,
  });
  expect(body.total).toBe(body.items.length);
  return body.items.map(({ id }) => id);
}

/** A service with three SBOMs, oldest first. */
async function threeSboms() {
  const { id: project_id } = await catalog.newProject();
  const uploads = ['1', '2', '3'].map((version) => ({ project_id, version, sha256: anySha() }));
  const results: UploadResult[] = [];
  for (const upload of uploads) results.push(await catalog.upload(upload));
  const [one = '', two = '', three = ''] = results.map(({ id }) => id);
  return { project_id, uploads, one, two, three };
}

describe('a deleted SBOM', () => {
  test('is hidden from every read, and its service points to the predecessor', async () => {
    const removed: string[] = [];
    endReconciler = catalog.fakeReconciler(removed);
    const { project_id, uploads, one, two, three } = await threeSboms();
    await remove(three);
    expect(removed).toEqual([three]);
    await expect(catalog.bus.request(getSbom, { sbom_id: three })).rejects.toMatchObject({
      code: 'sbom_not_found',
    });
    expect(await historyOf(project_id)).toEqual([two, one]);
    expect(await catalog.services.findOne({ project_id })).toMatchObject({
      seq: 3,
      latest: { sbom_id: two, version: '2' },
    });
    expect((await catalog.upload(uploads[1] ?? {})).id).toBe(two);
    const again = await catalog.upload(uploads[2] ?? {});
    expect(again.id).not.toBe(three);
    expect(await catalog.sboms.findOne({ _id: again.id })).toMatchObject({ seq: 4 });
  });

  test('that is not the latest leaves the latest SBOM of the service unchanged', async () => {
    endReconciler = catalog.fakeReconciler();
    const { project_id, one, two, three } = await threeSboms();
    await remove(two);
    expect(await historyOf(project_id)).toEqual([three, one]);
    expect(await catalog.services.findOne({ project_id })).toMatchObject({
      latest: { sbom_id: three },
    });
  });

  test('that was the only one leaves a service whose sequence continues', async () => {
    endReconciler = catalog.fakeReconciler();
    const { id: project_id } = await catalog.newProject();
    const upload = { project_id, sha256: anySha() };
    await remove((await catalog.upload(upload)).id);
    expect(await catalog.services.findOne({ project_id })).toMatchObject({ seq: 1, latest: null });
    const { id } = await catalog.upload(upload);
    expect(await catalog.sboms.findOne({ _id: id })).toMatchObject({ seq: 2 });
  });

  test('leaves its re-scan to the newest SBOM with its component set, which may be on its way', async () => {
    endReconciler = catalog.fakeReconciler();
    const { id: project_id } = await catalog.newProject();
    const digest = anySha();
    const { id } = await catalog.upload({ project_id, digest });
    await catalog.bus.request(requestRescans, rescanOf(digest, 7));
    const [same, other] = [
      await catalog.upload({ project_id, digest }),
      await catalog.upload({ project_id }),
    ];
    await remove(id);
    const markOf = async (_id: string) => (await catalog.sboms.findOne({ _id }))?.rescan;
    expect(await markOf(same.id)).toMatchObject({ revision: 7, packages: null });
    expect(await markOf(other.id)).toBeUndefined();
    const isRequested = () =>
      catalog.scans.some(({ sbom_id, lane }) => sbom_id === same.id && lane === 'rescan');
    await eventually(isRequested, { what: 'its re-scan is requested' });
  });

  test('is deleted by exactly one of ten parallel calls', async () => {
    endReconciler = catalog.fakeReconciler();
    const { three } = await threeSboms();
    const calls = await Promise.allSettled(Array.from({ length: 10 }, () => remove(three)));
    expect(calls.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const call of calls) {
      if (call.status === 'rejected') expect(call.reason).toMatchObject({ code: 'sbom_not_found' });
    }
  });

  test('is hidden but not acknowledged while the reconciler is away, and repeating the delete ends it', async () => {
    const { project_id, one, two, three } = await threeSboms();
    await expect(remove(three)).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(await historyOf(project_id)).toEqual([two, one]);
    const removed: string[] = [];
    endReconciler = catalog.fakeReconciler(removed);
    await remove(three);
    expect(removed).toEqual([three]);
    await expect(remove(three)).rejects.toMatchObject({ code: 'sbom_not_found' });
  });

  test('and uploads at the same time leave a head that points at the newest SBOM that is left', async () => {
    endReconciler = catalog.fakeReconciler();
    const { project_id, uploads, one, two, three } = await threeSboms();
    await Promise.all([
      ...[one, two, three].map(remove),
      ...['a', 'b', 'c', 'd', 'e'].map((version) => catalog.upload({ ...uploads[0], version })),
    ]);
    const left = await catalog.sboms
      .find({ project_id, removed_at: { $exists: false } })
      .sort({ seq: -1 })
      .toArray();
    expect(left).toHaveLength(5);
    expect(await catalog.services.findOne({ project_id })).toMatchObject({
      seq: 8,
      latest: { sbom_id: left[0]?._id },
    });
  });
});

test('what never was cannot be deleted', async () => {
  await expect(remove(randomUUID())).rejects.toMatchObject({ code: 'sbom_not_found' });
});

test('the record of a deleted SBOM is removed after ingest is notified, with retries', async () => {
  endReconciler = catalog.fakeReconciler();
  const { one, uploads } = await threeSboms();
  const record = await catalog.sboms.findOne({ _id: one });
  await remove(one);
  await expect(remove(one)).rejects.toMatchObject({ code: 'sbom_not_found' });
  // Nobody answers yet: it is still a reference.
  const names = { documents: [uploads[0]?.sha256 ?? ''], sets: [record?.digest ?? '', anySha()] };
  const { body } = await catalog.bus.request(findReferences, names);
  expect(body).toEqual({ documents: names.documents, sets: [record?.digest] });
  const marked: ContentNames[] = [];
  const endOwners = catalog.fakeOwners({ marked });
  try {
    await eventually(async () => expect(await catalog.sboms.findOne({ _id: one })).toBeNull(), {
      what: 'the record is gone',
    });
  } finally {
    endOwners();
  }
  expect(marked.flatMap(({ documents }) => documents)).toContain(names.documents[0]);
  expect(marked.flatMap(({ sets }) => sets)).toContain(record?.digest);
  expect((await catalog.bus.request(findReferences, names)).body).toEqual({
    documents: [],
    sets: [],
  });
});
