import { findPreviousSbom } from '@bomtrail/messages';
import { anySha, startCatalog, type TestCatalog } from '../testing/start-catalog';

let catalog: TestCatalog;

beforeAll(async () => {
  catalog = await startCatalog();
}, 120_000);
afterAll(() => catalog?.stop());

/** Uploads to a new service; `digest` is another one each time where none is given. */
async function serviceOf(...uploads: { version: string | null; digest?: string }[]) {
  const { id: project_id } = await catalog.newProject();
  const ids: string[] = [];
  for (const { version, digest = anySha() } of uploads) {
    ids.push((await catalog.upload({ project_id, version, sha256: anySha(), digest })).id);
  }
  const set = (index: number, change: object) =>
    catalog.sboms.updateOne({ _id: ids[index] ?? '' }, { $set: change });
  const previousOf = async (index: number): Promise<number | null> => {
    const asked = { sbom_id: ids[index] ?? '' };
    const { previous } = (await catalog.bus.request(findPreviousSbom, asked)).body;
    return previous && ids.indexOf(previous.id);
  };
  return { ids, set, previousOf };
}

test('is the newest SBOM before it with another version', async () => {
  const { previousOf } = await serviceOf({ version: '1' }, { version: '2' }, { version: '3' });
  expect(await Promise.all([0, 1, 2].map(previousOf))).toEqual([null, 0, 1]);
});

test('is not an upload of the same version, so that repeating a job compares with the same', async () => {
  const again = [{ version: '1' }, { version: '2' }, { version: '2' }, { version: '2' }];
  const { previousOf } = await serviceOf(...again);
  expect(await previousOf(3)).toBe(0);
});

test('is told by its components where uploads name no version', async () => {
  const same = { version: null, digest: anySha() };
  const { previousOf } = await serviceOf({ version: null }, same, same);
  expect(await previousOf(2)).toBe(0);
});

test('is one that names a version where this one names none', async () => {
  const digest = anySha();
  const { previousOf } = await serviceOf({ version: '1', digest }, { version: null, digest });
  expect(await previousOf(1)).toBe(0);
});

test('is none whose scan failed or that is deleted, but one that is still pending', async () => {
  const versions = ['1', '2', '3', '4', '5'].map((version) => ({ version }));
  const { set, previousOf } = await serviceOf(...versions);
  await set(3, { scan_status: 'failed' });
  await set(2, { deleted_at: new Date() });
  expect(await previousOf(4)).toBe(1);
});

test('does not exist for an SBOM that is not there', async () => {
  const asked = { sbom_id: '0197c1a2-0d31-7b6c-8f0a-51c8b1d2e3f4' };
  await expect(catalog.bus.request(findPreviousSbom, asked)).rejects.toMatchObject({
    code: 'sbom_not_found',
  });
});
