import {
  findLicensedSets,
  findServicesLicensed,
  readLicensed,
  type LicensedEntries,
} from '@bomtrail/messages';
import { handles, packJson, unpackJson } from '@bomtrail/messaging';
import { anySha, startCatalog, type TestCatalog } from '../testing/start-catalog';

let catalog: TestCatalog;
/** What the fake ingest finds for each id. */
const found = new Map<string, LicensedEntries>();
let complete = true;

beforeAll(async () => {
  catalog = await startCatalog();
  catalog.bus.serve(
    handles(findLicensedSets, async ({ license }) => {
      const sets = Object.keys(found.get(license ?? '') ?? {});
      const key = license === 'AGPL' ? null : license;
      const body = { sets: sets.length, complete, key, similar: key ? [] : ['AGPL-3.0-only'] };
      return { body, attachment: await packJson(JSON.stringify(sets)) };
    }),
  );
  catalog.bus.serve(
    handles(readLicensed, async ({ key, digests }) => {
      const all = Object.entries(found.get(key) ?? {});
      const some = Object.fromEntries(all.filter(([digest]) => digests.includes(digest)));
      return { body: { sets: digests.length }, attachment: await packJson(JSON.stringify(some)) };
    }),
  );
});
afterAll(() => catalog?.stop());

async function search(license: string, rest: { project_id?: string; page?: number } = {}) {
  const { body, attachment } = await catalog.bus.request(findServicesLicensed, {
    query: { license, group: null },
    page: 1,
    per_page: 2,
    ...rest,
  });
  const items = (await unpackJson(attachment ?? Buffer.of())) as Record<string, unknown>[];
  return { ...body, items };
}

test('services are found by the licences of their latest SBOM, paged, and within a project', async () => {
  const [one, two] = [await catalog.newProject(), await catalog.newProject()];
  const [first, second] = [anySha(), anySha()];
  const component = { name: 'gs', version: '1', purl: null, license: 'AGPL-3.0-only' };
  found.set('AGPL-3.0-only', {
    [first]: { count: 1, first: [component] },
    [second]: { count: 7, first: [component] },
  });
  const a = await catalog.upload({ project_id: one.id, service_name: 'a', digest: first });
  const b = await catalog.upload({ project_id: one.id, service_name: 'b', digest: second });
  await catalog.upload({ project_id: two.id, service_name: 'c', digest: second });
  const [front, back] = [await search('AGPL-3.0-only'), await search('AGPL-3.0-only', { page: 2 })];
  expect(front).toMatchObject({
    total: 3,
    complete: true,
    known: true,
    items: [
      { project_slug: one.slug, sbom_id: a.id, components: 1, first_components: [component] },
      { service_name: 'b', sbom_id: b.id, components: 7 },
    ],
  });
  expect(back.items).toMatchObject([{ service_name: 'c' }]);
  expect(await search('AGPL-3.0-only', { project_id: two.id })).toMatchObject({
    total: 1,
    items: [{ service_name: 'c' }],
  });
  await catalog.upload({ project_id: two.id, service_name: 'c', version: '2' });
  expect((await search('AGPL-3.0-only')).total).toBe(2);
  complete = false;
  expect((await search('AGPL-3.0-only')).complete).toBe(false);
});

test('a text that is no licence id finds nothing and says which ids are like it', async () => {
  expect(await search('AGPL')).toMatchObject({
    known: false,
    similar: ['AGPL-3.0-only'],
    items: [],
    total: 0,
  });
});

test('the result is incomplete while the latest SBOM of a service is an expired one', async () => {
  complete = true;
  const { id: project_id } = await catalog.newProject();
  await catalog.upload({ project_id });
  expect((await search('AGPL-3.0-only', { project_id })).complete).toBe(true);
  await catalog.services.updateOne({ project_id }, { $set: { 'latest.digest': '' } });
  expect((await search('AGPL-3.0-only', { project_id })).complete).toBe(false);
});
