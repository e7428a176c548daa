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
  deleteProject,
  deleteServiceOf,
  openOf,
  nothing,
  storedOf,
  storesOf,
  threeServices,
} from '../testing/deletion-helpers';
import { TestService } from '../testing/service';
import { startReconciler, type TestReconciler } from '../testing/start-reconciler';

let harness: TestReconciler;

beforeAll(async () => {
  harness = await startReconciler({ processes: 2 });
});
afterEach(() => {
  harness.beforeScanResponse = async () => {};
});
afterAll(() => harness?.stop());

const lodash = 'lodash@1.0.0 GHSA-1';
const axios = 'axios@0.1.0 GHSA-2';

describe('a deleted service', () => {
  test('is in no list before anything is purged, and others of its project stay', async () => {
    const { one, two, scan, project_id } = await threeServices(harness);
    const dies = await accept(harness, one, { service: true });
    await one.scanned(harness.newSet(lodash, axios));
    expect(await one.states()).toEqual({ 'lodash GHSA-1': 'accepted', 'axios GHSA-2': 'open' });
    await storesOf(harness).deletions.hideService(one);
    expect(await one.documents()).toHaveLength(2);
    expect(await one.activeList()).toEqual([]);
    expect((await openOf(harness, project_id)).map(({ service_id }) => service_id)).toEqual([
      two.service_id,
    ]);
    expect(await acceptancesOf(harness, project_id)).toEqual([]);
    const deleting = harness.bus.request(deleteAcceptance, { acceptance_id: dies.id });
    await expect(deleting).rejects.toMatchObject({ code: 'acceptance_not_found' });
    await expect(accept(harness, one, { service: false })).rejects.toMatchObject({
      code: 'vulnerability_not_found',
    });
    await expect(harness.bus.request(listSbomVulnerabilities, { ...scan })).rejects.toMatchObject({
      code: 'sbom_not_found',
    });
  });

  test('removes the acceptances in its scope, those of the project stay active', async () => {
    const { one, two, project_id } = await threeServices(harness);
    await accept(harness, one, { service: true });
    const elsewhere = await accept(harness, two, { service: true });
    const ofProject = await accept(harness, one, { service: false });
    expect(await deleteServiceOf(harness, one)).toBe(false);
    expect((await acceptancesOf(harness, project_id)).sort()).toEqual(
      [elsewhere.id, ofProject.id].sort(),
    );
    await harness.bus.request(deleteAcceptance, { acceptance_id: elsewhere.id });
    expect(await two.states()).toEqual({ 'lodash GHSA-1': 'accepted' });
    const later = new TestService(harness, project_id);
    await later.scanned(harness.newSet(lodash));
    expect(await later.states()).toEqual({ 'lodash GHSA-1': 'accepted' });
  });

  test('leaves nothing but its id, and a late scan or removal restores nothing', async () => {
    const { one, two, scan } = await threeServices(harness);
    const before = await two.documents();
    const late = one.upload(harness.newSet(axios));
    expect(await deleteServiceOf(harness, one)).toBe(false);
    await harness.bus.publish(scanCompleted, late);
    await harness.bus.publish(scanCompleted, { ...scan, attempt: 1, revision: 9 });
    await harness.finished();
    await harness.bus.request(removeSbom, { ...scan });
    expect(await one.documents()).toEqual([]);
    const sbomVersions = harness.db.collection('sbom_versions');
    expect(await sbomVersions.countDocuments({ service_id: one.service_id })).toBe(0);
    expect(harness.reconciled.some(({ sbom_id }) => sbom_id === late.sbom_id)).toBe(false);
    expect(await two.documents()).toEqual(before);
    expect(await deleteServiceOf(harness, one)).toBe(false);
    expect((await storesOf(harness).deletions.hidden()).services).not.toContain(one.service_id);
  });

  test.each(['first', 'later'])(
    'gets no vulnerabilities from a %s scan that is read while the service is deleted',
    async (which) => {
      const service = new TestService(harness);
      if (which === 'later') await service.scanned(harness.newSet(axios));
      const digest = harness.newSet(lodash);
      let deletion: Promise<boolean> | undefined;
      harness.beforeScanResponse = async (requested) => {
        if (requested === digest) await (deletion ??= deleteServiceOf(harness, service));
      };
      await harness.bus.publish(scanCompleted, service.upload(digest));
      await harness.finished();
      expect(await deletion).toBe(false);
      expect(await service.documents()).toEqual([]);
    },
  );

  test('accepts no acceptance, also if it is deleted after the scope was checked', async () => {
    const { one, two, project_id } = await threeServices(harness);
    const [vulnerability] = await two.documents();
    await deleteServiceOf(harness, one);
    const { acceptances } = storesOf(harness);
    const acceptance = acceptanceOf(one, vulnerability?._id ?? '');
    expect(await acceptances.insert({ ...acceptance, services: [one.service_id] })).toBe(
      'no_service',
    );
    expect(await acceptances.insert(acceptance)).toBe('done');
    expect(await acceptancesOf(harness, project_id)).toEqual([acceptance._id]);
  });

  test('of a project that is deleted too adds nothing to it', async () => {
    const { one, project_id } = await threeServices(harness);
    await deleteProject(harness, project_id);
    expect(await deleteServiceOf(harness, one)).toBe(false);
    expect(await storedOf(harness, project_id)).toEqual(nothing);
  });
});
