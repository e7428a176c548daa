import type { SbomReference } from '@bomtrail/messages';
import type { ServiceStateDocument } from './store/documents';
import { barrier, once, ownReconciler, type FaultPoints } from '../testing/fault-points';
import {
  fakeCatalog,
  verified,
  type FakeCatalog,
  type RegisteredService,
} from '../testing/fake-catalog';
import { startReconciler, type TestReconciler } from '../testing/start-reconciler';
import { completeRescan } from './complete-rescan';
import { createAcceptance } from '../decisions/create-acceptance';
import { deleteAcceptance } from '../decisions/delete-acceptance';
import { reconcileSbom } from './reconcile-sbom';
import { removeSboms } from './remove-sbom';

let harness: TestReconciler;
let catalog: FakeCatalog;

beforeAll(async () => {
  harness = await startReconciler();
  catalog = fakeCatalog(harness);
});
afterAll(() => harness?.stop());

const lodash = 'lodash@1.0.0 GHSA-1 CVE-1';
const axios = 'axios@0.1.0 GHSA-2';
const vue = 'vue@1.0.0 GHSA-9';

/** Two reconcilers of which neither writes before the other has read and decided too. */
function twoAtOnce() {
  const outcomes: string[] = [];
  const meeting = barrier(2);
  const faults: FaultPoints = {
    beforeSave: meeting,
    afterSave: async (outcome) => void outcomes.push(outcome),
  };
  return { outcomes, one: ownReconciler(harness, faults), two: ownReconciler(harness, faults) };
}

/** A reconciler beside which something happens between its decision and its first write. */
function whereMeanwhile(work: () => Promise<unknown>) {
  const outcomes: string[] = [];
  const own = ownReconciler(harness, {
    beforeSave: once(work),
    afterSave: async (outcome) => void outcomes.push(outcome),
  });
  return { ...own, outcomes };
}

async function stateOf({ service_id }: RegisteredService): Promise<ServiceStateDocument | null> {
  return harness.db.collection<ServiceStateDocument>('service_states').findOne({ _id: service_id });
}

/** Fails where anything that is stored of a service is not what follows from the facts. */
async function isRight(service: RegisteredService): Promise<void> {
  expect(await verified(harness, { service })).toMatchObject({
    verdicts: [],
    totals: { services: 1 },
  });
}

async function accepted(service: RegisteredService, vulnerability_id: string) {
  const { project_id } = service;
  const { deps } = ownReconciler(harness);
  return createAcceptance(deps, {
    project_id,
    vulnerability_id,
    service_id: null,
    reason: 'r',
    expires_at: null,
  });
}

/** The advisory change of a revision that concerns one package of a service. */
function changeOf(scan: SbomReference, revision: number, packages: string[] | null) {
  const { lane: _lane, revision: _revision, attempt: _attempt, ...sbom } = scan;
  return { sboms: [sbom], revision, packages };
}

describe('Of two reconcilers that have read the same service', () => {
  test('one writes the result of a message that both were given, and the other finds it there', async () => {
    const service = catalog.newService();
    await service.scanned(harness.newSet(lodash));
    const before = await stateOf(service);
    const scan = service.upload(harness.newSet(axios));
    const { one, two, outcomes } = twoAtOnce();
    await Promise.all([reconcileSbom(one.deps, scan), reconcileSbom(two.deps, scan)]);
    expect(outcomes.sort()).toEqual(['lost', 'saved']);
    expect((await stateOf(service))?.version).toBe((before?.version ?? 0) + 1);
    expect(await service.states()).toEqual({ 'lodash GHSA-1': 'fixed', 'axios GHSA-2': 'open' });
    await isRight(service);
  });

  test('one creates the service, and its vulnerabilities exist once', async () => {
    const service = catalog.newService();
    const scan = service.upload(harness.newSet(lodash, axios));
    const { one, two, outcomes } = twoAtOnce();
    await Promise.all([reconcileSbom(one.deps, scan), reconcileSbom(two.deps, scan)]);
    expect(outcomes.sort()).toEqual(['lost', 'saved']);
    expect(await service.documents()).toHaveLength(2);
    await isRight(service);
  });

  test('both add their SBOM version, one after the other, whichever is first', async () => {
    const service = catalog.newService();
    await service.scanned(harness.newSet());
    const scans = [
      service.upload(harness.newSet(lodash)),
      service.upload(harness.newSet(axios)),
    ] as const;
    const { one, two, outcomes } = twoAtOnce();
    await Promise.all([reconcileSbom(one.deps, scans[0]), reconcileSbom(two.deps, scans[1])]);
    expect(outcomes.sort()).toEqual(['lost', 'saved', 'saved']);
    expect(await service.states()).toEqual({ 'lodash GHSA-1': 'fixed', 'axios GHSA-2': 'open' });
    expect(await stateOf(service)).toMatchObject({ head: { sbom_id: scans[1].sbom_id } });
    await isRight(service);
  });

  test('one removes an SBOM and the other appends one', async () => {
    const service = catalog.newService();
    const first = await service.scanned(harness.newSet(lodash, axios));
    const scan = service.upload(harness.newSet(axios));
    const { service_id, project_id } = service;
    const removal = { sbom_ids: [first.sbom_id], service_id, project_id, finished: true };
    const { one, two, outcomes } = twoAtOnce();
    await Promise.all([reconcileSbom(one.deps, scan), removeSboms(two.deps, removal)]);
    expect(outcomes.sort()).toEqual(['lost', 'saved', 'saved']);
    service.deleteSbomOf(first.sbom_id);
    expect(await service.states()).toEqual({ '- GHSA-1': 'vanished', 'axios GHSA-2': 'open' });
    await isRight(service);
  });

  test('both bring the service to an advisory change, of one package and of all', async () => {
    const service = catalog.newService();
    const digest = harness.newSet(lodash, axios);
    const scan = await service.scanned(digest);
    harness.revisions.set(digest, 2);
    harness.setScan(digest, axios, vue);
    const { one, two, outcomes } = twoAtOnce();
    await Promise.all([
      completeRescan(one.batched, changeOf(scan, 2, ['npm|lodash', 'npm|vue'])),
      completeRescan(two.batched, changeOf(scan, 2, null)),
    ]);
    expect(outcomes).toContain('lost');
    expect(await service.states()).toEqual({
      '- GHSA-1': 'vanished',
      'axios GHSA-2': 'open',
      'vue GHSA-9': 'open',
    });
    await isRight(service);
  });

  test.each([
    ['of one package', ['npm|lodash', 'npm|vue']],
    ['of any', null],
  ])(
    'one receives an older advisory change %s later than the other a newer one, and restores nothing',
    async (_what, packages) => {
      const [service, like] = [catalog.newService(), catalog.newService()];
      const digest = harness.newSet(lodash, axios);
      const [scan, same] = [await service.scanned(digest), await like.scanned(digest)];
      const [one, two] = [ownReconciler(harness), ownReconciler(harness)];
      harness.revisions.set(digest, 2);
      harness.setScan(digest, axios, vue);
      // From here on it keeps what is right for the older change.
      await completeRescan(one.batched, changeOf(same, 2, packages));
      harness.revisions.set(digest, 3);
      harness.setScan(digest, lodash, axios);
      const newer = changeOf(scan, 3, ['npm|lodash', 'npm|vue']);
      await completeRescan(two.batched, {
        ...newer,
        sboms: [...newer.sboms, ...changeOf(same, 3, null).sboms],
      });
      await completeRescan(one.batched, changeOf(scan, 2, packages));
      expect(await service.states()).toEqual({ 'lodash GHSA-1': 'open', 'axios GHSA-2': 'open' });
      await isRight(service);
    },
  );
});

describe('An upload that has read the findings and written nothing yet', () => {
  test.each([
    ['of one package', ['npm|lodash']],
    ['of any', null],
  ])(
    'does not bring older ones back when an advisory change %s comes first',
    async (_what, packages) => {
      const service = catalog.newService();
      const digest = harness.newSet(lodash, axios);
      const first = await service.scanned(digest);
      const next = service.upload(digest);
      const change = async (): Promise<void> => {
        harness.revisions.set(digest, 5);
        harness.setScan(digest, 'lodash@1.0.0 GHSA-1 CVE-1 CVE-7', axios);
        await completeRescan(ownReconciler(harness).batched, changeOf(first, 5, packages));
      };
      const { deps, outcomes } = whereMeanwhile(change);
      await reconcileSbom(deps, next);
      expect(outcomes).toEqual(['lost', 'saved']);
      const [vulnerability] = (await service.documents()).filter(
        ({ package_key }) => package_key === 'npm|lodash',
      );
      expect(vulnerability?.snapshot?.aliases).toEqual(['GHSA-1', 'CVE-1', 'CVE-7']);
      await isRight(service);
    },
  );

  test('is seen by the advisory change that follows it, also where the change had read the service before', async () => {
    const service = catalog.newService();
    const [digest, other] = [harness.newSet(lodash, axios), harness.newSet(lodash)];
    const first = await service.scanned(digest);
    const next = service.upload(other);
    for (const one of [digest, other]) harness.revisions.set(one, 6);
    harness.setScan(digest, axios, vue);
    harness.setScan(other, vue);
    const upload = (): Promise<unknown> => reconcileSbom(ownReconciler(harness).deps, next);
    const { batched, outcomes } = whereMeanwhile(upload);
    await completeRescan(batched, changeOf(first, 6, ['npm|lodash', 'npm|vue']));
    expect(outcomes).toEqual(['lost', 'saved']);
    expect(await service.states()).toEqual({
      '- GHSA-1': 'vanished',
      'axios GHSA-2': 'fixed',
      'vue GHSA-9': 'open',
    });
    await isRight(service);
  });

  test('shows an acceptance that is given meanwhile', async () => {
    const service = catalog.newService();
    await service.scanned(harness.newSet(lodash));
    const [vulnerability] = await service.documents();
    const { deps } = whereMeanwhile(() => accepted(service, vulnerability?._id ?? ''));
    await reconcileSbom(deps, service.upload(harness.newSet('lodash@1.1.0 GHSA-1 CVE-1', axios)));
    expect(await service.states()).toEqual({ 'lodash GHSA-1': 'accepted', 'axios GHSA-2': 'open' });
    await isRight(service);
  });

  test('applies an acceptance that is created meanwhile to a vulnerability that it reopens', async () => {
    const service = catalog.newService();
    await service.scanned(harness.newSet(lodash));
    await service.scanned(harness.newSet(axios));
    const vulnerability = (await service.documents()).find(({ status }) => status === 'fixed');
    const { deps, outcomes } = whereMeanwhile(() => accepted(service, vulnerability?._id ?? ''));
    await reconcileSbom(deps, service.upload(harness.newSet(lodash)));
    // The acceptance found nothing to change, so that nothing was in the way of the upload.
    expect(outcomes[0]).toBe('saved');
    expect(await service.states()).toEqual({
      'lodash GHSA-1': 'accepted',
      'axios GHSA-2': 'fixed',
    });
    await isRight(service);
  });

  test('opens what was accepted by an acceptance that is revoked meanwhile', async () => {
    const service = catalog.newService();
    await service.scanned(harness.newSet(lodash));
    const [vulnerability] = await service.documents();
    const { id } = await accepted(service, vulnerability?._id ?? '');
    const { deps } = whereMeanwhile(() =>
      deleteAcceptance(ownReconciler(harness).deps, { acceptance_id: id }),
    );
    await reconcileSbom(deps, service.upload(harness.newSet('lodash@1.1.0 GHSA-1 CVE-1')));
    expect(await service.states()).toEqual({ 'lodash GHSA-1': 'open' });
    await isRight(service);
  });
});

describe('An acceptance', () => {
  test('applies to what an upload opens between its read of the acceptances and its write', async () => {
    const service = catalog.newService();
    await service.scanned(harness.newSet(lodash));
    await service.scanned(harness.newSet());
    const [vulnerability] = await service.documents();
    const back = service.upload(harness.newSet(lodash));
    const upload = once(() => reconcileSbom(ownReconciler(harness).deps, back));
    const { deps } = ownReconciler(harness);
    const acceptances = {
      ...deps.acceptances,
      insert: async (one: Parameters<typeof deps.acceptances.insert>[0]) => {
        await upload();
        return deps.acceptances.insert(one);
      },
    };
    await createAcceptance(
      { ...deps, acceptances },
      {
        project_id: service.project_id,
        vulnerability_id: vulnerability?._id ?? '',
        service_id: null,
        reason: 'r',
        expires_at: null,
      },
    );
    expect(await service.states()).toEqual({ 'lodash GHSA-1': 'accepted' });
    await isRight(service);
  });
});

describe('A delete of an SBOM', () => {
  test('that is repeated takes back what its process, which ended, had shown as accepted too late', async () => {
    const service = catalog.newService();
    await service.scanned(harness.newSet(lodash));
    const [vulnerability] = await service.documents();
    const last = await service.scanned(harness.newSet(axios));
    const { id } = await accepted(service, vulnerability?._id ?? '');
    const revoke = once(() => deleteAcceptance(ownReconciler(harness).deps, { acceptance_id: id }));
    const own = ownReconciler(harness, {
      beforeSave: revoke,
      afterSave: async () => {
        throw new Error('The process ends.');
      },
    });
    const { service_id, project_id } = service;
    const removal = { sbom_ids: [last.sbom_id], service_id, project_id, finished: true };
    await expect(removeSboms(own.deps, removal)).rejects.toThrow('The process ends.');
    service.deleteSbomOf(last.sbom_id);
    await removeSboms(ownReconciler(harness).deps, removal);
    expect(await service.states()).toMatchObject({ 'lodash GHSA-1': 'open' });
    await isRight(service);
  });
});
