import { randomUUID } from 'node:crypto';
import {
  checkScope,
  deleteProject,
  deleteSbom,
  deleteService,
  getSbom,
  listProjectHistory,
  listServices,
  nameServices,
  requestRescans,
  type AppError,
} from '@bomtrail/messages';
import { eventually } from '@bomtrail/testkit';
import {
  anySha,
  rescanOf,
  startCatalog,
  type FakeOwners,
  type TestCatalog,
} from '../testing/start-catalog';

let catalog: TestCatalog;
let endOwners = (): void => {};

beforeAll(async () => {
  catalog = await startCatalog({ processes: 2 });
});
afterEach(() => endOwners());
afterAll(() => catalog?.stop());

const unknown = { code: 'service_not_found' };

function play(fakes: FakeOwners = {}): void {
  endOwners = catalog.fakeOwners(fakes);
}

function remove(service_id: string, requested: { cascade?: boolean; project_id?: string } = {}) {
  const { cascade = false, project_id = null } = requested;
  return catalog.bus.request(deleteService, { service_id, cascade, project_id });
}

/** A project with a service of two SBOMs, and a third SBOM at project level. */
async function aService() {
  const { id: project_id } = await catalog.newProject();
  const { id: one } = await catalog.upload({ project_id });
  const { id: two } = await catalog.upload({ project_id });
  const { id: other } = await catalog.upload({ project_id, service_name: null });
  const [service] = (await catalog.bus.request(listServices, { project_id })).body;
  return { project_id, service_id: service?.id ?? '', one, two, other };
}

async function historyOf(project_id: string): Promise<string[]> {
  const { body } = await catalog.bus.request(listProjectHistory, {
    project_id,
    page: 1,
    per_page: 200,
  });
  expect(body.total).toBe(body.items.length);
  return body.items.map(({ id }) => id);
}

function purged(service_id: string): Promise<unknown> {
  const check = async () => {
    expect(await catalog.sboms.countDocuments({ service_id: service_id })).toBe(0);
    expect(await catalog.deletions.countDocuments({ _id: service_id })).toBe(0);
  };
  return eventually(check, { what: 'nothing of the service is left' });
}

describe('a service that has SBOMs', () => {
  test('is not deleted unless they are to be deleted too', async () => {
    play();
    const { project_id, service_id, one, two, other } = await aService();
    await expect(remove(service_id)).rejects.toMatchObject({ code: 'service_has_sboms' });
    expect(await historyOf(project_id)).toEqual([other, two, one]);
  });

  test('is in no read, nor its SBOMs, once it was deleted with them', async () => {
    const requested: string[] = [];
    play({ requested, respond: () => ({ more: true }) });
    const { project_id, service_id, one, two, other } = await aService();
    await remove(service_id, { cascade: true });
    const { bus } = catalog;
    expect(new Set(requested)).toEqual(new Set([`reconciler ${service_id}`]));
    expect(await historyOf(project_id)).toEqual([other]);
    for (const sbom_id of [one, two]) {
      const gone = { code: 'sbom_not_found' };
      await expect(bus.request(getSbom, { sbom_id })).rejects.toMatchObject(gone);
      await expect(bus.request(deleteSbom, { sbom_id })).rejects.toMatchObject(gone);
    }
    expect((await bus.request(listServices, { project_id })).body).toEqual([]);
    expect((await bus.request(nameServices, { service_ids: [service_id] })).body).toEqual([]);
    await expect(bus.request(checkScope, { project_id, service_id })).rejects.toMatchObject(
      unknown,
    );
    await expect(remove(service_id, { cascade: true })).rejects.toMatchObject(unknown);
  });

  test('gets no re-scan after its delete', async () => {
    play({ respond: () => ({ more: true }) });
    const { id: project_id } = await catalog.newProject();
    const digest = anySha();
    await catalog.upload({ project_id, digest });
    await catalog.upload({ project_id, digest, service_name: 'stays' });
    const [first] = (await catalog.bus.request(listServices, { project_id })).body;
    await remove(first?.id ?? '', { cascade: true });
    const { body } = await catalog.bus.request(requestRescans, rescanOf(digest, 7));
    expect(body).toEqual({ services: 1 });
  });

  test('is purged, and what else is in its project stays', async () => {
    play();
    const { project_id, service_id, other } = await aService();
    await remove(service_id, { cascade: true });
    await purged(service_id);
    expect(await catalog.sboms.distinct('_id', { project_id })).toEqual([other]);
    expect(await historyOf(project_id)).toEqual([other]);
  });

  test('can be deleted alone once its last SBOM is', async () => {
    play();
    const { service_id, one, two } = await aService();
    const endReconciler = catalog.fakeReconciler();
    await catalog.bus.request(deleteSbom, { sbom_id: one });
    await expect(remove(service_id)).rejects.toMatchObject({ code: 'service_has_sboms' });
    await catalog.bus.request(deleteSbom, { sbom_id: two });
    endReconciler();
    await remove(service_id);
    await expect(remove(service_id)).rejects.toMatchObject(unknown);
  });
});

test('the name of a deleted service makes a new one, with a sequence of its own', async () => {
  play();
  const { project_id, service_id } = await aService();
  await remove(service_id, { cascade: true });
  const { id: sbom_id } = await catalog.upload({ project_id });
  const { body } = await catalog.bus.request(getSbom, { sbom_id });
  expect(body).toMatchObject({ service_name: 'Checkout', seq: 1 });
  expect(body.service_id).not.toBe(service_id);
  await purged(service_id);
  expect((await catalog.bus.request(getSbom, { sbom_id })).body.service_id).toBe(body.service_id);
});

test('of ten parallel deletes of a service exactly one succeeds', async () => {
  play();
  const { service_id } = await aService();
  const calls = await Promise.allSettled(
    Array.from({ length: 10 }, () => remove(service_id, { cascade: true })),
  );
  expect(calls.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const call of calls) {
    if (call.status === 'rejected') expect(call.reason).toMatchObject(unknown);
  }
});

test('a delete without a response of the reconciler is completed by repeating it', async () => {
  const { project_id, service_id, other } = await aService();
  const requested = { cascade: true };
  await expect(remove(service_id, requested)).rejects.toMatchObject({
    code: 'service_unavailable',
  });
  expect(await historyOf(project_id)).toEqual([other]);
  play();
  const elsewhere = { ...requested, project_id: randomUUID() };
  await expect(remove(service_id, elsewhere)).rejects.toMatchObject(unknown);
  await remove(service_id, { ...requested, project_id });
  await expect(remove(service_id, requested)).rejects.toMatchObject(unknown);
  await purged(service_id);
});

test('unknown services, the project itself and services of other projects are not there', async () => {
  play();
  const { project_id, service_id } = await aService();
  const level = await catalog.services.findOne({ project_id, name: null });
  const { id: elsewhere } = await catalog.newProject();
  for (const cascade of [true, false]) {
    await expect(remove(randomUUID(), { cascade })).rejects.toMatchObject(unknown);
    await expect(remove(level?._id ?? '', { cascade })).rejects.toMatchObject(unknown);
    await expect(remove(service_id, { cascade, project_id: elsewhere })).rejects.toMatchObject(
      unknown,
    );
  }
  expect(await catalog.services.countDocuments({ project_id })).toBe(2);
});

test('uploads while their service is deleted end in it and are gone, or begin it anew', async () => {
  play();
  for (let round = 0; round < 5; round++) {
    const { project_id, service_id } = await aService();
    const [, ...ids] = await Promise.all([
      remove(service_id, { cascade: true }),
      ...Array.from({ length: 16 }, async () => (await catalog.upload({ project_id })).id),
    ]);
    await purged(service_id);
    const left = await catalog.sboms.find({ project_id, _id: { $in: ids } }).toArray();
    const services = await catalog.services.find({ project_id, name: 'Checkout' }).toArray();
    expect(new Set(left.map(({ service_id }) => service_id))).toEqual(
      new Set(services.map(({ _id }) => _id)),
    );
    expect(left).toHaveLength(services[0]?.seq ?? 0);
  }
});

test('a service without SBOMs is not deleted when one is uploaded at the same moment', async () => {
  play();
  for (let round = 0; round < 5; round++) {
    const { project_id, service_id } = await aService();
    await catalog.sboms.deleteMany({ service_id: service_id });
    await catalog.services.updateOne({ _id: service_id }, { $set: { latest: null } });
    const [outcome, { id: sbom_id }] = await Promise.all([
      remove(service_id).then(
        () => 'deleted',
        (error: AppError) => error.code,
      ),
      catalog.upload({ project_id }),
    ]);
    const { body } = await catalog.bus.request(getSbom, { sbom_id });
    expect(body.service_id === service_id ? 'service_has_sboms' : 'deleted').toBe(outcome);
  }
});

test('a service that is deleted together with its project leaves nothing', async () => {
  play();
  const { project_id, service_id } = await aService();
  await Promise.allSettled([
    remove(service_id, { cascade: true }),
    catalog.bus.request(deleteProject, { project_id }),
  ]);
  await purged(service_id);
  await eventually(async () => expect(await catalog.sboms.countDocuments({ project_id })).toBe(0), {
    what: 'nothing of the project is left',
  });
  expect(await catalog.services.countDocuments({ project_id })).toBe(0);
});
