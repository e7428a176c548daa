import { requestRescans } from '@bomtrail/messages';
import { anySha, rescanOf, startCatalog, type TestCatalog } from '../testing/start-catalog';
import { createSbomStore } from './sbom-store';

let catalog: TestCatalog;

beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog?.stop());

test('a re-scan of unknown time, as after a change of the matching rules, is as old as its mark', async () => {
  const digest = anySha();
  const { id: project_id } = await catalog.newProject();
  await catalog.upload({ project_id, digest });
  const before = Date.now();
  await catalog.bus.request(requestRescans, rescanOf(digest, 2));
  const store = createSbomStore(catalog.database.db);
  const withinMs = 20_000;
  const { since } = (await store.backlog(withinMs)).rescan;
  expect(since?.getTime()).toBeGreaterThanOrEqual(before);
  await catalog.bus.request(requestRescans, rescanOf(digest, 3));
  expect((await store.backlog(withinMs)).rescan.since).toEqual(since);
});
