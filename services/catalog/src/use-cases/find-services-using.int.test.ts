import {
  deleteProject,
  deleteSbom,
  findServicesUsing,
  findPackageSets,
  countUnscanned,
  listServices,
  sbomReconciled,
  scanFailed,
  type PackageSets,
} from '@bomtrail/messages';
import { handles } from '@bomtrail/messaging';
import { eventually } from '@bomtrail/testkit';
import { createSbomStore } from '../store/sbom-store';
import { createServiceStore } from '../store/service-store';
import { anySha, startCatalog, type TestCatalog } from '../testing/start-catalog';

let catalog: TestCatalog;
/** What the played scanner finds for each name. */
const found = new Map<string, PackageSets>();
let complete = true;

beforeAll(async () => {
  catalog = await startCatalog();
  catalog.fakeOwners();
  catalog.fakeReconciler();
  catalog.bus.serve(
    handles(findPackageSets, async ({ name }) => {
      const sets = found.get(name ?? '') ?? { packages: [], sets: {} };
      const body = { sets: Object.keys(sets.sets).length, complete };
      return { body, attachment: Buffer.from(JSON.stringify(sets)) };
    }),
  );
});
afterAll(() => catalog?.stop());
beforeEach(() => {
  complete = true;
});

const held = (version: string) => ({
  name: 'lodash',
  version,
  purl: null,
  ecosystem: 'npm',
  affected: null,
});

/** Says that the package `name` is in these sets, in version 1, and in the last one in version 2 as well. */
function play(name: string, digests: string[]): void {
  const sets = Object.fromEntries(
    digests.map((digest, index) => [digest, index === digests.length - 1 ? [0, 1] : [0]]),
  );
  found.set(name, { packages: [held('1'), held('2')], sets });
}

async function search(name: string, rest: { project_id?: string; page?: number } = {}) {
  const { body } = await catalog.bus.request(findServicesUsing, {
    query: { purl: null, name, version: null },
    page: 1,
    per_page: 2,
    ...rest,
  });
  return body;
}

/** Two projects; the first has three services with one of the sets, the other one has one. */
async function dataset() {
  const name = `package-${anySha()}`;
  const [one, two] = [await catalog.newProject(), await catalog.newProject()];
  const [first, second] = [anySha(), anySha()];
  const upload = (project_id: string, service_name: string, digest: string) =>
    catalog.upload({ project_id, service_name, digest, version: `v of ${service_name}` });
  const a = await upload(one.id, 'a', first);
  const b = await upload(one.id, 'b', second);
  const c = await upload(two.id, 'c', second);
  const plain = await catalog.upload({ project_id: one.id, service_name: null, digest: first });
  play(name, [first, second]);
  return { name, one, two, first, second, uploads: { a, b, c, plain } };
}

describe('services that use a package', () => {
  test('are paged by project and age, with the SBOM and its matching packages', async () => {
    const { name, one, two, uploads } = await dataset();
    const [front, back] = [await search(name), await search(name, { page: 2 })];
    expect([front.total, back.total]).toEqual([4, 4]);
    expect([...front.items, ...back.items]).toMatchObject([
      {
        project_id: one.id,
        project_name: one.name,
        project_slug: one.slug,
        service_name: 'a',
        sbom_id: uploads.a.id,
        version: 'v of a',
        packages: [{ version: '1' }],
      },
      {
        service_name: 'b',
        sbom_id: uploads.b.id,
        packages: [{ version: '1' }, { version: '2' }],
      },
      { project_id: one.id, service_name: null, sbom_id: uploads.plain.id },
      { project_id: two.id, service_name: 'c', sbom_id: uploads.c.id },
    ]);
    expect((await search(name, { page: 3 })).items).toEqual([]);
  });

  test('are limited to the project of a bound caller', async () => {
    const { name, two } = await dataset();
    const { items, total } = await search(name, { project_id: two.id });
    expect([total, items.map(({ service_name }) => service_name)]).toEqual([1, ['c']]);
  });

  test('exclude a service whose newer SBOM lacks it, until that SBOM is deleted', async () => {
    const { name, two, first } = await dataset();
    const names = async () =>
      (await search(name, { project_id: two.id })).items.map(({ sbom_id }) => sbom_id);
    const before = await names();
    const newer = await catalog.upload({ project_id: two.id, service_name: 'c', version: '9' });
    expect(await names()).toEqual([]);
    await catalog.bus.request(deleteSbom, { sbom_id: newer.id });
    expect(await names()).toEqual(before);
    const back = await catalog.upload({ project_id: two.id, service_name: 'c', digest: first });
    expect(await names()).toEqual([back.id]);
  });

  test('exclude a deleted project', async () => {
    const { name, one } = await dataset();
    await catalog.bus.request(deleteProject, { project_id: one.id });
    const { items, total } = await search(name);
    expect([total, items.map(({ service_name }) => service_name)]).toEqual([1, ['c']]);
  });

  test('are incomplete while the scanner reports so', async () => {
    const { name } = await dataset();
    complete = false;
    expect((await search(name)).complete).toBe(false);
    complete = true;
    expect((await search(name)).complete).toBe(true);
  });

  test('are read from the index alone', async () => {
    const { name, first } = await dataset();
    const { db } = catalog.database;
    await db.command({ profile: 2 });
    await search(name);
    await db.command({ profile: 0 });
    const requested = await linesQuestions(first);
    expect(requested.map(({ planSummary, docsExamined }) => [planSummary, docsExamined])).toEqual([
      [expect.stringMatching(/^IXSCAN \{ latest\.digest: 1/), 0],
    ]);
  });
});

/** Profile entries of questions that name the digest. */
async function linesQuestions(digest: string) {
  const all = await catalog.database.db
    .collection('system.profile')
    .find({ ns: /\.services$/ })
    .toArray();
  return all.filter((entry) => JSON.stringify(entry['command']?.filter ?? {}).includes(digest));
}

test('SBOMs that say nothing yet are counted while they are the latest of their service', async () => {
  const { id: project_id } = await catalog.newProject();
  const counts = async () => (await catalog.bus.request(countUnscanned, { project_id })).body;
  const first = await catalog.upload({ project_id });
  expect(await counts()).toEqual({ pending_sboms: 1, failed_sboms: 0 });
  await catalog.bus.publish(scanFailed, { sbom_id: first.id, reason: 'r' });
  await eventually(async () => (await counts()).failed_sboms === 1, {
    what: 'the scan has failed',
  });
  const second = await catalog.upload({ project_id });
  expect(await counts()).toEqual({ pending_sboms: 1, failed_sboms: 0 });
  await catalog.bus.publish(sbomReconciled, { sbom_id: second.id, revision: 0, attempt: 0 });
  await eventually(async () => (await counts()).pending_sboms === 0, {
    what: 'the second one is scanned',
  });
  expect(await counts()).toEqual({ pending_sboms: 0, failed_sboms: 0 });
});

test('a failed SBOM is counted however many older ones have failed before it', async () => {
  const { id: project_id } = await catalog.newProject();
  const failed = async (service_name: string): Promise<string> => {
    const { id } = await catalog.upload({ project_id, service_name });
    await catalog.sboms.updateOne(
      { _id: id },
      { $set: { scan_status: 'failed' }, $unset: { retry_at: '' } },
    );
    return id;
  };
  const model = await catalog.sboms.findOne({ _id: await failed('many') });
  await catalog.upload({ project_id, service_name: 'many' });
  if (!model) throw new Error('the SBOM is not there');
  // Not the latest of any line, and before all others in the order of the index.
  const older = Array.from({ length: 1100 }, (_one, n) => ({
    ...model,
    _id: `${model._id}-${n}`,
    service_id: '0',
    seq: n,
  }));
  await catalog.sboms.insertMany(older);
  await failed('one');
  const { body } = await catalog.bus.request(countUnscanned, { project_id });
  expect(body).toEqual({ pending_sboms: 1, failed_sboms: 1 });
});

test('an expired SBOM that deletes made the latest one counts as not searched, and is listed as such', async () => {
  const { id: project_id } = await catalog.newProject();
  const ofProject = { project_id };
  const first = await catalog.upload({ project_id, service_name: 'Web' });
  const second = await catalog.upload({ project_id, service_name: 'Web' });
  await catalog.sboms.updateMany(ofProject, {
    $set: { scan_status: 'scanned' },
    $unset: { retry_at: '' },
  });
  expect(await createSbomStore(catalog.database.db).expire([first.id], new Date())).toBe(1);
  const counts = async () => (await catalog.bus.request(countUnscanned, ofProject)).body;
  expect(await counts()).toEqual({ pending_sboms: 0, failed_sboms: 0 });
  const newest = async () =>
    (await catalog.bus.request(listServices, ofProject)).body[0]?.latest_sbom;
  expect(await newest()).toMatchObject({ retained: true, digest: expect.any(String) });
  const service_id = (await catalog.services.findOne(ofProject))?._id ?? '';
  const services = createServiceStore(catalog.database);
  await services.addTombstones(service_id, [second.id], { now: new Date() });
  expect(await counts()).toEqual({ pending_sboms: 0, failed_sboms: 1 });
  expect(await newest()).toMatchObject({ id: first.id, retained: false, digest: null });
  await catalog.sboms.updateOne({ _id: first.id }, { $set: { scan_status: 'failed' } });
  expect(await counts()).toEqual({ pending_sboms: 0, failed_sboms: 1 });
});
