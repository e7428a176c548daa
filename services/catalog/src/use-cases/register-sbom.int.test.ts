import { randomUUID } from 'node:crypto';
import { getSbom, listProjectHistory, listServices } from '@bomtrail/messages';
import { eventually } from '@bomtrail/testkit';
import { anySha, startCatalog, type TestCatalog } from '../testing/start-catalog';

let catalog: TestCatalog;

beforeAll(async () => {
  catalog = await startCatalog({ processes: 2 });
});
afterAll(() => catalog?.stop());

async function servicesOf(project_id: string): Promise<string[]> {
  return (await catalog.bus.request(listServices, { project_id })).body.map(({ name }) => name);
}

describe('parallel uploads', () => {
  test('one hundred concurrent uploads to a new service create one service and the sequence 1 to 100', async () => {
    const { id: project_id } = await catalog.newProject();
    const results = await Promise.all(
      Array.from({ length: 100 }, (_, n) => catalog.upload({ project_id, version: `${n}` })),
    );
    expect(new Set(results.map(({ id }) => id)).size).toBe(100);
    expect(await servicesOf(project_id)).toEqual(['Checkout']);
    const sboms = await catalog.sboms.find({ project_id }).sort({ seq: 1 }).toArray();
    expect(sboms.map(({ seq }) => seq)).toEqual(Array.from({ length: 100 }, (_, n) => n + 1));
    const [service, ...others] = await catalog.services.find({ project_id }).toArray();
    expect(others).toEqual([]);
    expect(service).toMatchObject({ seq: 100, latest: { sbom_id: sboms[99]?._id } });
  });

  test('thirty identical uploads give one record', async () => {
    const { id: project_id } = await catalog.newProject();
    const same = { project_id, sha256: anySha(), version: '1.0' };
    const results = await Promise.all(Array.from({ length: 30 }, () => catalog.upload(same)));
    expect(new Set(results.map(({ id }) => id)).size).toBe(1);
    expect(await catalog.sboms.countDocuments({ project_id })).toBe(1);
  });
});

describe('an upload repeats the latest SBOM of its service', () => {
  test('only with the same bytes and the same version', async () => {
    const { id: project_id } = await catalog.newProject();
    const first = { project_id, sha256: anySha(), version: '1.0' };
    const { id } = await catalog.upload(first);
    expect((await catalog.upload(first)).id).toBe(id);
    const others = [
      await catalog.upload({ ...first, version: '1.1' }),
      await catalog.upload({ ...first, version: null }),
      await catalog.upload({ ...first, version: null, sha256: anySha() }),
      await catalog.upload({ ...first, version: null, service_name: 'checkout' }),
    ];
    expect(new Set([id, ...others.map((other) => other.id)]).size).toBe(5);
  });

  test('so that a roll-back to an older document is a new record', async () => {
    const { id: project_id } = await catalog.newProject();
    const old = { project_id, sha256: anySha(), version: '1.0' };
    const { id } = await catalog.upload(old);
    await catalog.upload({ ...old, sha256: anySha(), version: '2.0' });
    const again = await catalog.upload(old);
    expect(again.id).not.toBe(id);
    expect((await catalog.upload(old)).id).toBe(again.id);
  });
});

describe('services', () => {
  test('are spelt as given, each spelling is one, and without a name the document or the project is', async () => {
    const { id: project_id } = await catalog.newProject();
    const uploads = [
      { service_name: 'API' },
      { service_name: 'api' },
      { service_name: ' api ' },
      { service_name: 'API', root_name: 'not looked at' },
      { service_name: null, root_name: 'from the root' },
      { service_name: ' ', root_name: 'from the root' },
      { service_name: null, root_name: null },
    ];
    for (const upload of uploads) await catalog.upload({ project_id, ...upload });
    expect(await servicesOf(project_id)).toEqual([' api ', 'API', 'api', 'from the root']);
    const projectLevel = await catalog.services.findOne({ project_id, name: null });
    expect(projectLevel).toMatchObject({ seq: 1 });
    expect(await servicesOf(randomUUID())).toEqual([]);
  });

  test('an upload at project level belongs to the service without a name', async () => {
    const { id: project_id } = await catalog.newProject();
    const { id } = await catalog.upload({ project_id, service_name: null });
    const { body } = await catalog.bus.request(getSbom, { sbom_id: id });
    expect(body).toMatchObject({ service_name: null, project_id, seq: 1 });
  });
});

test('the unknown project is refused, and nothing is left of the upload', async () => {
  const project_id = randomUUID();
  await expect(catalog.upload({ project_id })).rejects.toMatchObject({
    code: 'project_not_found',
  });
  expect(await catalog.services.countDocuments({ project_id })).toBe(0);
});

test('a registered SBOM can be read, is first in the history, and its scan is requested', async () => {
  const { id: project_id, slug } = await catalog.newProject();
  await catalog.upload({ project_id });
  const { id, scan_status } = await catalog.upload({ project_slug: slug, version: '2' });
  expect(scan_status).toBe('pending');
  const { body: sbom } = await catalog.bus.request(getSbom, { sbom_id: id });
  expect(sbom).toMatchObject({ id, project_id, seq: 2, version: '2', scan_status: 'pending' });
  const { body: history } = await catalog.bus.request(listProjectHistory, {
    project_id,
    page: 1,
    per_page: 1,
  });
  expect(history).toMatchObject({ total: 2, items: [{ id, version: '2', format: 'cyclonedx' }] });
  const scan = await eventually(() => catalog.scans.find((one) => one.sbom_id === id) ?? false, {
    what: 'the scan is asked for',
  });
  const { service_id, digest, created_at } = sbom;
  expect(scan).toEqual({
    sbom_id: id,
    project_id,
    service_id,
    seq: 2,
    digest,
    created_at,
    lane: 'upload',
    revision: 0,
    attempt: 0,
  });
});
