import {
  deleteAcceptance,
  listSbomVulnerabilities,
  removeSbom,
  scanCompleted,
} from '@bomtrail/messages';
import {
  accept,
  acceptanceOf,
  acceptancesOf,
  forget,
  forgetService,
  listedOf,
  nothing,
  storedOf,
  storesOf,
  threeServices,
} from '../testing/forgetting';
import { TestLine } from '../testing/line';
import { startReconciler, type TestReconciler } from '../testing/start-reconciler';

let world: TestReconciler;

beforeAll(async () => {
  world = await startReconciler({ processes: 2 });
});
afterEach(() => {
  world.beforeScanAnswer = async () => {};
});
afterAll(() => world?.stop());

const lodash = 'lodash@1.0.0 GHSA-1';
const axios = 'axios@0.1.0 GHSA-2';

describe('a deleted service', () => {
  test('is in no list before anything is purged, and others of its project stay', async () => {
    const { one, two, scan, project_id } = await threeServices(world);
    const dies = await accept(world, one, { service: true });
    await one.scanned(world.newSet(lodash, axios));
    expect(await one.states()).toEqual({ 'lodash GHSA-1': 'accepted', 'axios GHSA-2': 'open' });
    await storesOf(world).forgotten.hideLine(one);
    expect(await one.documents()).toHaveLength(2);
    expect(await one.listed()).toEqual([]);
    expect((await listedOf(world, project_id)).map(({ line_id }) => line_id)).toEqual([
      two.line_id,
    ]);
    expect(await acceptancesOf(world, project_id)).toEqual([]);
    const deleting = world.bus.request(deleteAcceptance, { acceptance_id: dies.id });
    await expect(deleting).rejects.toMatchObject({ code: 'acceptance_not_found' });
    await expect(accept(world, one, { service: false })).rejects.toMatchObject({
      code: 'vulnerability_not_found',
    });
    await expect(world.bus.request(listSbomVulnerabilities, { ...scan })).rejects.toMatchObject({
      code: 'sbom_not_found',
    });
  });

  test('takes along the acceptances in its scope, those of the project stay in force', async () => {
    const { one, two, project_id } = await threeServices(world);
    await accept(world, one, { service: true });
    const elsewhere = await accept(world, two, { service: true });
    const ofProject = await accept(world, one, { service: false });
    expect(await forgetService(world, one)).toBe(false);
    expect((await acceptancesOf(world, project_id)).sort()).toEqual(
      [elsewhere.id, ofProject.id].sort(),
    );
    await world.bus.request(deleteAcceptance, { acceptance_id: elsewhere.id });
    expect(await two.states()).toEqual({ 'lodash GHSA-1': 'accepted' });
    const later = new TestLine(world, project_id);
    await later.scanned(world.newSet(lodash));
    expect(await later.states()).toEqual({ 'lodash GHSA-1': 'accepted' });
  });

  test('leaves nothing but its id, and a late scan or removal brings nothing back', async () => {
    const { one, two, scan } = await threeServices(world);
    const before = await two.documents();
    const late = one.upload(world.newSet(axios));
    expect(await forgetService(world, one)).toBe(false);
    await world.bus.publish(scanCompleted, late);
    await world.bus.publish(scanCompleted, { ...scan, attempt: 1, revision: 9 });
    await world.settled();
    await world.bus.request(removeSbom, { ...scan });
    expect(await one.documents()).toEqual([]);
    const log = world.db.collection('sbom_log');
    expect(await log.countDocuments({ line_id: one.line_id })).toBe(0);
    expect(world.reconciled.some(({ sbom_id }) => sbom_id === late.sbom_id)).toBe(false);
    expect(await two.documents()).toEqual(before);
    expect(await forgetService(world, one)).toBe(false);
    expect((await storesOf(world).forgotten.hidden()).lines).not.toContain(one.line_id);
  });

  test.each(['first', 'later'])(
    'gets no rows from a %s scan that is read while the service is deleted',
    async (which) => {
      const line = new TestLine(world);
      if (which === 'later') await line.scanned(world.newSet(axios));
      const digest = world.newSet(lodash);
      let forgotten: Promise<boolean> | undefined;
      world.beforeScanAnswer = async (asked) => {
        if (asked === digest) await (forgotten ??= forgetService(world, line));
      };
      await world.bus.publish(scanCompleted, line.upload(digest));
      await world.settled();
      expect(await forgotten).toBe(false);
      expect(await line.documents()).toEqual([]);
    },
  );

  test('takes no acceptance, also when it is deleted after the scope was looked at', async () => {
    const { one, two, project_id } = await threeServices(world);
    const [row] = await two.documents();
    await forgetService(world, one);
    const { acceptances } = storesOf(world);
    const acceptance = acceptanceOf(one, row?._id ?? '');
    expect(await acceptances.insert({ ...acceptance, service_id: one.line_id })).toBe('no_service');
    expect(await acceptances.insert(acceptance)).toBe('done');
    expect(await acceptancesOf(world, project_id)).toEqual([acceptance._id]);
  });

  test('of a project that is deleted too adds nothing to it', async () => {
    const { one, project_id } = await threeServices(world);
    await forget(world, project_id);
    expect(await forgetService(world, one)).toBe(false);
    expect(await storedOf(world, project_id)).toEqual(nothing);
  });
});
