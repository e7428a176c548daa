import type { SbomReference } from '@bomtrail/messages';
import type { LedgerDocument } from '../store/documents';
import { meetingOf, once, ownReconciler, type FaultPoints } from '../testing/fault-points';
import {
  fakeCatalog,
  verified,
  type FakeCatalog,
  type RegisteredLine,
} from '../testing/fake-catalog';
import { startReconciler, type TestReconciler } from '../testing/start-reconciler';
import { catchUp } from './catch-up';
import { createAcceptance } from './create-acceptance';
import { deleteAcceptance } from './delete-acceptance';
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
  const meeting = meetingOf(2);
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

async function ledgerOf({ service_id }: RegisteredLine): Promise<LedgerDocument | null> {
  return harness.db.collection<LedgerDocument>('ledgers').findOne({ _id: service_id });
}

/** Fails where anything that is stored of a line is not what follows from the facts. */
async function isRight(line: RegisteredLine): Promise<void> {
  expect(await verified(harness, { line })).toMatchObject({ verdicts: [], totals: { lines: 1 } });
}

async function accepted(line: RegisteredLine, vulnerability_id: string) {
  const { project_id } = line;
  const { deps } = ownReconciler(harness);
  return createAcceptance(deps, {
    ...{ project_id, vulnerability_id, service_id: null, reason: 'r', expires_at: null },
  });
}

/** The advisory change of a revision that concerns one package of a line. */
function changeOf(scan: SbomReference, revision: number, packages: string[] | null) {
  const { lane: _lane, revision: _revision, attempt: _attempt, ...sbom } = scan;
  return { sboms: [sbom], revision, packages };
}

describe('Of two reconcilers that have read the same line', () => {
  test('one writes the result of a message that both were given, and the other finds it there', async () => {
    const line = catalog.newLine();
    await line.scanned(harness.newSet(lodash));
    const before = await ledgerOf(line);
    const scan = line.upload(harness.newSet(axios));
    const { one, two, outcomes } = twoAtOnce();
    await Promise.all([reconcileSbom(one.deps, scan), reconcileSbom(two.deps, scan)]);
    expect(outcomes.sort()).toEqual(['lost', 'saved']);
    expect((await ledgerOf(line))?.version).toBe((before?.version ?? 0) + 1);
    expect(await line.states()).toEqual({ 'lodash GHSA-1': 'fixed', 'axios GHSA-2': 'open' });
    await isRight(line);
  });

  test('one begins the line, and its rows are there once', async () => {
    const line = catalog.newLine();
    const scan = line.upload(harness.newSet(lodash, axios));
    const { one, two, outcomes } = twoAtOnce();
    await Promise.all([reconcileSbom(one.deps, scan), reconcileSbom(two.deps, scan)]);
    expect(outcomes.sort()).toEqual(['lost', 'saved']);
    expect(await line.documents()).toHaveLength(2);
    await isRight(line);
  });

  test('both bring their SBOM into the log, one after the other, whichever is first', async () => {
    const line = catalog.newLine();
    await line.scanned(harness.newSet());
    const scans = [
      line.upload(harness.newSet(lodash)),
      line.upload(harness.newSet(axios)),
    ] as const;
    const { one, two, outcomes } = twoAtOnce();
    await Promise.all([reconcileSbom(one.deps, scans[0]), reconcileSbom(two.deps, scans[1])]);
    expect(outcomes.sort()).toEqual(['lost', 'saved', 'saved']);
    expect(await line.states()).toEqual({ 'lodash GHSA-1': 'fixed', 'axios GHSA-2': 'open' });
    expect(await ledgerOf(line)).toMatchObject({ head: { sbom_id: scans[1].sbom_id } });
    await isRight(line);
  });

  test('one removes an SBOM and the other appends one', async () => {
    const line = catalog.newLine();
    const first = await line.scanned(harness.newSet(lodash, axios));
    const scan = line.upload(harness.newSet(axios));
    const { service_id, project_id } = line;
    const removal = { sbom_ids: [first.sbom_id], service_id, project_id, finished: true };
    const { one, two, outcomes } = twoAtOnce();
    await Promise.all([reconcileSbom(one.deps, scan), removeSboms(two.deps, removal)]);
    expect(outcomes.sort()).toEqual(['lost', 'saved', 'saved']);
    line.forgetSbom(first.sbom_id);
    expect(await line.states()).toEqual({ '- GHSA-1': 'vanished', 'axios GHSA-2': 'open' });
    await isRight(line);
  });

  test('both bring the line to an advisory change, of one package and of all', async () => {
    const line = catalog.newLine();
    const digest = harness.newSet(lodash, axios);
    const scan = await line.scanned(digest);
    harness.revisions.set(digest, 2);
    harness.setScan(digest, axios, vue);
    const { one, two, outcomes } = twoAtOnce();
    await Promise.all([
      catchUp(one.together, changeOf(scan, 2, ['npm|lodash', 'npm|vue'])),
      catchUp(two.together, changeOf(scan, 2, null)),
    ]);
    expect(outcomes).toContain('lost');
    expect(await line.states()).toEqual({
      ...{ '- GHSA-1': 'vanished', 'axios GHSA-2': 'open', 'vue GHSA-9': 'open' },
    });
    await isRight(line);
  });

  test.each([
    ['of one package', ['npm|lodash', 'npm|vue']],
    ['of any', null],
  ])(
    'one is told of an older advisory change %s later than the other of a newer one, and brings nothing back',
    async (_what, packages) => {
      const [line, like] = [catalog.newLine(), catalog.newLine()];
      const digest = harness.newSet(lodash, axios);
      const [scan, same] = [await line.scanned(digest), await like.scanned(digest)];
      const [one, two] = [ownReconciler(harness), ownReconciler(harness)];
      harness.revisions.set(digest, 2);
      harness.setScan(digest, axios, vue);
      // From here on it keeps what is right for the older change.
      await catchUp(one.together, changeOf(same, 2, packages));
      harness.revisions.set(digest, 3);
      harness.setScan(digest, lodash, axios);
      const newer = changeOf(scan, 3, ['npm|lodash', 'npm|vue']);
      await catchUp(two.together, {
        ...newer,
        sboms: [...newer.sboms, ...changeOf(same, 3, null).sboms],
      });
      await catchUp(one.together, changeOf(scan, 2, packages));
      expect(await line.states()).toEqual({ 'lodash GHSA-1': 'open', 'axios GHSA-2': 'open' });
      await isRight(line);
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
      const line = catalog.newLine();
      const digest = harness.newSet(lodash, axios);
      const first = await line.scanned(digest);
      const next = line.upload(digest);
      const change = async (): Promise<void> => {
        harness.revisions.set(digest, 5);
        harness.setScan(digest, 'lodash@1.0.0 GHSA-1 CVE-1 CVE-7', axios);
        await catchUp(ownReconciler(harness).together, changeOf(first, 5, packages));
      };
      const { deps, outcomes } = whereMeanwhile(change);
      await reconcileSbom(deps, next);
      expect(outcomes).toEqual(['lost', 'saved']);
      const [row] = (await line.documents()).filter(
        ({ package_key }) => package_key === 'npm|lodash',
      );
      expect(row?.shown?.aliases).toEqual(['GHSA-1', 'CVE-1', 'CVE-7']);
      await isRight(line);
    },
  );

  test('is seen by the advisory change that follows it, also where the change had read the line before', async () => {
    const line = catalog.newLine();
    const [digest, other] = [harness.newSet(lodash, axios), harness.newSet(lodash)];
    const first = await line.scanned(digest);
    const next = line.upload(other);
    for (const one of [digest, other]) harness.revisions.set(one, 6);
    harness.setScan(digest, axios, vue);
    harness.setScan(other, vue);
    const upload = (): Promise<void> => reconcileSbom(ownReconciler(harness).deps, next);
    const { together, outcomes } = whereMeanwhile(upload);
    await catchUp(together, changeOf(first, 6, ['npm|lodash', 'npm|vue']));
    expect(outcomes).toEqual(['lost', 'saved']);
    expect(await line.states()).toEqual({
      ...{ '- GHSA-1': 'vanished', 'axios GHSA-2': 'fixed', 'vue GHSA-9': 'open' },
    });
    await isRight(line);
  });

  test('shows an acceptance that is given meanwhile', async () => {
    const line = catalog.newLine();
    await line.scanned(harness.newSet(lodash));
    const [row] = await line.documents();
    const { deps } = whereMeanwhile(() => accepted(line, row?._id ?? ''));
    await reconcileSbom(deps, line.upload(harness.newSet('lodash@1.1.0 GHSA-1 CVE-1', axios)));
    expect(await line.states()).toEqual({ 'lodash GHSA-1': 'accepted', 'axios GHSA-2': 'open' });
    await isRight(line);
  });

  test('shows one that is given meanwhile for what it opens again, of which no row says so yet', async () => {
    const line = catalog.newLine();
    await line.scanned(harness.newSet(lodash));
    await line.scanned(harness.newSet(axios));
    const row = (await line.documents()).find(({ status }) => status === 'fixed');
    const { deps, outcomes } = whereMeanwhile(() => accepted(line, row?._id ?? ''));
    await reconcileSbom(deps, line.upload(harness.newSet(lodash)));
    // The acceptance found nothing to change, so that nothing was in the way of the upload.
    expect(outcomes[0]).toBe('saved');
    expect(await line.states()).toEqual({ 'lodash GHSA-1': 'accepted', 'axios GHSA-2': 'fixed' });
    await isRight(line);
  });

  test('opens what an acceptance covered that is taken back meanwhile', async () => {
    const line = catalog.newLine();
    await line.scanned(harness.newSet(lodash));
    const [row] = await line.documents();
    const { id } = await accepted(line, row?._id ?? '');
    const { deps } = whereMeanwhile(() =>
      deleteAcceptance(ownReconciler(harness).deps, { acceptance_id: id }),
    );
    await reconcileSbom(deps, line.upload(harness.newSet('lodash@1.1.0 GHSA-1 CVE-1')));
    expect(await line.states()).toEqual({ 'lodash GHSA-1': 'open' });
    await isRight(line);
  });
});

describe('An acceptance', () => {
  test('covers what an upload opens between its look at the rows and its write', async () => {
    const line = catalog.newLine();
    await line.scanned(harness.newSet(lodash));
    await line.scanned(harness.newSet());
    const [row] = await line.documents();
    const back = line.upload(harness.newSet(lodash));
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
        ...{ project_id: line.project_id, vulnerability_id: row?._id ?? '', service_id: null },
        ...{ reason: 'r', expires_at: null },
      },
    );
    expect(await line.states()).toEqual({ 'lodash GHSA-1': 'accepted' });
    await isRight(line);
  });
});

describe('A delete of an SBOM', () => {
  test('that is repeated takes back what its process, which ended, had shown as accepted too late', async () => {
    const line = catalog.newLine();
    await line.scanned(harness.newSet(lodash));
    const [row] = await line.documents();
    const last = await line.scanned(harness.newSet(axios));
    const { id } = await accepted(line, row?._id ?? '');
    const revoke = once(() => deleteAcceptance(ownReconciler(harness).deps, { acceptance_id: id }));
    const own = ownReconciler(harness, {
      beforeSave: revoke,
      afterSave: async () => {
        throw new Error('The process ends.');
      },
    });
    const { service_id, project_id } = line;
    const removal = { sbom_ids: [last.sbom_id], service_id, project_id, finished: true };
    await expect(removeSboms(own.deps, removal)).rejects.toThrow('The process ends.');
    line.forgetSbom(last.sbom_id);
    await removeSboms(ownReconciler(harness).deps, removal);
    expect(await line.states()).toMatchObject({ 'lodash GHSA-1': 'open' });
    await isRight(line);
  });
});
