import { deleteService, listAllServices, listServiceSboms } from '@bomtrail/messages';
import { anySha, startCatalog, type TestCatalog } from '../testing/start-catalog';

let harness: TestCatalog;

beforeAll(async () => {
  harness = await startCatalog();
});
afterAll(() => harness?.stop());

async function servicesOf(project_id: string | undefined, limit: number): Promise<string[]> {
  const names: string[] = [];
  let after: string | null = null;
  do {
    const { body }: { body: Awaited<ReturnType<typeof page>>['body'] } = await page(after);
    names.push(...body.services.map(({ service_name }) => service_name ?? ''));
    after = body.next;
  } while (after !== null);
  return names;

  function page(behind: string | null) {
    return harness.bus.request(listAllServices, { project_id, after: behind, limit });
  }
}

async function newService(sboms: number) {
  const project = await harness.newProject();
  for (let count = 0; count < sboms; count++) {
    await harness.upload({ project_id: project.id, service_name: 'one', digest: anySha() });
  }
  const service = await harness.services.findOne({ project_id: project.id });
  return { project_id: project.id, service_id: service?._id ?? '' };
}

const sbomsOf = async (service_id: string, after_seq = 0, limit = 1000) =>
  (await harness.bus.request(listServiceSboms, { service_id, after_seq, limit })).body;

test('the services of a project, or of all, are paged by id', async () => {
  const { id: project_id } = await harness.newProject();
  const names = ['a', 'b', 'c', 'd', 'e'];
  for (const service_name of names) await harness.upload({ project_id, service_name });
  await newService(1);
  for (const limit of [1, 2, 5, 50]) expect(await servicesOf(project_id, limit)).toEqual(names);
  expect((await servicesOf(undefined, 2)).length).toBe(await harness.services.countDocuments());
});

describe('The SBOMs of a service', () => {
  test('are paged by sequence, with pending re-scans', async () => {
    const { service_id, project_id } = await newService(3);
    const { sboms } = await sbomsOf(service_id);
    expect(sboms.map(({ seq, scan_status }) => [seq, scan_status])).toEqual([
      ...[
        [1, 'pending'],
        [2, 'pending'],
        [3, 'pending'],
      ],
    ]);
    expect(await sbomsOf(service_id, 1, 1)).toEqual({
      service: 'active',
      project_id,
      sboms: [sboms[1]],
    });
    const rescan = { revision: 2, retry_at: new Date(), requests: 0 };
    await harness.sboms.updateOne({ _id: sboms[0]?.sbom_id ?? '' }, { $set: { rescan } });
    const pending = (await sbomsOf(service_id)).sboms.map(({ rescan_pending }) => rescan_pending);
    expect(pending).toEqual([true, false, false]);
  });

  test('are included until their delete is finished', async () => {
    const { service_id } = await newService(2);
    const [first] = (await sbomsOf(service_id)).sboms;
    await harness.sboms.updateOne(
      { _id: first?.sbom_id ?? '' },
      { $set: { deleted_at: new Date() } },
    );
    expect((await sbomsOf(service_id)).sboms).toMatchObject([
      { deleting: true },
      { deleting: false },
    ]);
  });

  test('of a deleted service are being deleted until nothing is left, and then unknown', async () => {
    const { service_id } = await newService(1);
    const stop = harness.fakeOwners();
    await harness.bus.request(deleteService, {
      service_id: service_id,
      cascade: true,
      project_id: null,
    });
    expect(['deleting', 'unknown']).toContain((await sbomsOf(service_id)).service);
    stop();
    await harness.sboms.deleteMany({ service_id });
    await harness.deletions.deleteOne({ _id: service_id });
    expect(await sbomsOf(service_id)).toEqual({ service: 'unknown', project_id: null, sboms: [] });
  });
});
