import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  createAcceptance,
  deleteAcceptance,
  forgetLine,
  forgetProject,
  listAcceptances,
  listActive,
  listSbomVulnerabilities,
  removeSbom,
  scanCompleted,
  summariseActive,
  type AcceptanceView,
  type VulnerabilityView,
} from '@bomtrail/messages';
import { inTransaction } from '@bomtrail/service-kit';
import { eventually } from '@bomtrail/testkit';
import { v7 as newId } from 'uuid';
import { createAcceptanceStore } from '../store/acceptance-store';
import type {
  AcceptanceDocument,
  LedgerDocument,
  ProjectDocument,
  RowDocument,
} from '../store/documents';
import { createForgetStore } from '../store/forget-store';
import { createProjectStore } from '../store/project-store';
import { TestLine } from '../testing/line';
import { startReconciler, type TestReconciler } from '../testing/start-reconciler';

let world: TestReconciler;

beforeAll(async () => {
  world = await startReconciler({ processes: 2 });
}, 120_000);
afterEach(() => {
  world.beforeScanAnswer = async () => {};
});
afterAll(() => world?.stop());

const lodash = 'lodash@1.0.0 GHSA-1';
const axios = 'axios@0.1.0 GHSA-2';

async function forget(project_id: string): Promise<boolean> {
  return (await world.bus.request(forgetProject('reconciler'), { project_id })).body.more;
}

async function forgetService({ line_id, project_id }: TestLine): Promise<boolean> {
  return (await world.bus.request(forgetLine, { line_id, project_id })).body.more;
}

/** The stores on their own: to hide without purging, and to write what was read before a delete. */
function storesOf() {
  const { db } = world;
  const database = { db, client: db.client, isUp: async () => true };
  return {
    forgotten: createForgetStore(database),
    acceptances: createAcceptanceStore(database),
    projects: createProjectStore(database),
  };
}

function acceptanceOf(line: TestLine, vulnerability_id: string): AcceptanceDocument {
  const now = new Date();
  return {
    ...{ _id: newId(), project_id: line.project_id, service_id: null, vulnerability_id },
    ...{ identity: ['GHSA-1'], reason: 'r', expires_at: null, created_at: now, updated_at: now },
    ...{ lapsed: false, pending: 'apply' },
  };
}

async function listedOf(project_id: string | undefined): Promise<VulnerabilityView[]> {
  const { body } = await world.bus.request(listActive, {
    ...{ page: 1, per_page: 200, sort: 'cvss_score', order: 'desc', project_id },
  });
  expect(body.total).toBe(body.items.length);
  const { body: summary } = await world.bus.request(summariseActive, { project_id });
  expect(summary.total).toBe(body.total);
  return body.items;
}

async function accept(line: TestLine, scope: { service: boolean }): Promise<AcceptanceView> {
  const [row] = await line.documents();
  const { body } = await world.bus.request(createAcceptance, {
    ...{ project_id: line.project_id, service_id: scope.service ? line.line_id : null },
    ...{ vulnerability_id: row?._id ?? '', reason: 'r', expires_at: null },
  });
  return body;
}

async function acceptancesOf(project_id: string): Promise<string[]> {
  const { body } = await world.bus.request(listAcceptances, {
    ...{ project_id, page: 1, per_page: 200 },
  });
  expect(body.total).toBe(body.items.length);
  return body.items.map(({ id }) => id);
}

/** How many documents of a project are stored, by collection; only what keeps its id is left out. */
async function storedOf(project_id: string): Promise<Record<string, number>> {
  const { db } = world;
  const count = async (name: string) => db.collection(name).countDocuments({ project_id });
  return {
    rows: await count('tracked_vulnerabilities'),
    log: await count('sbom_log'),
    ledgers: await count('ledgers'),
    acceptances: await count('acceptances'),
    epochs: await db
      .collection<{ _id: string }>('acceptance_epochs')
      .countDocuments({ _id: project_id }),
  };
}

const nothing = { rows: 0, log: 0, ledgers: 0, acceptances: 0, epochs: 0 };

/** Two services of one project, each with a row, and another project with one. */
async function threeServices() {
  const one = new TestLine(world);
  const two = new TestLine(world, one.project_id);
  const other = new TestLine(world);
  const digest = world.newSet(lodash);
  const [scan] = await Promise.all([one, two, other].map((line) => line.scanned(digest)));
  if (!scan) throw new Error('It was scanned.');
  return { one, two, other, scan, project_id: one.project_id };
}

describe('a deleted project', () => {
  test('is in no list, summary or list of acceptances before anything is purged', async () => {
    const { one, other, scan, project_id } = await threeServices();
    await accept(one, { service: true });
    await accept(one, { service: false });
    const third = new TestLine(world, project_id);
    await third.scanned(world.newSet(axios));
    await storesOf().forgotten.hideProject(project_id);

    expect((await storedOf(project_id)).rows).toBe(3);
    expect(await listedOf(project_id)).toEqual([]);
    expect(await third.listed()).toEqual([]);
    const all = await listedOf(undefined);
    expect(all.map((row) => row.project_id)).not.toContain(project_id);
    expect(all.map((row) => row.project_id)).toContain(other.project_id);
    expect(await acceptancesOf(project_id)).toEqual([]);
    await expect(world.bus.request(listSbomVulnerabilities, { ...scan })).rejects.toMatchObject({
      code: 'sbom_not_found',
    });
  });

  test('leaves nothing but its id, and other projects as they are', async () => {
    const { one, other, project_id } = await threeServices();
    await accept(one, { service: false });
    const kept = await accept(other, { service: false });
    const before = await other.documents();
    expect(await forget(project_id)).toBe(false);
    expect(await storedOf(project_id)).toEqual(nothing);
    expect(await other.documents()).toEqual(before);
    expect(await acceptancesOf(other.project_id)).toEqual([kept.id]);
    expect(await forget(project_id)).toBe(false);
    expect((await storesOf().forgotten.hidden()).projects).not.toContain(project_id);
  });

  test('that nobody has heard of is remembered: a late scan brings nothing', async () => {
    const line = new TestLine(world);
    expect(await forget(line.project_id)).toBe(false);
    const scan = line.upload(world.newSet(lodash));
    await world.bus.publish(scanCompleted, scan);
    await world.settled();
    expect(await storedOf(line.project_id)).toEqual(nothing);
    expect(world.reconciled.some(({ sbom_id }) => sbom_id === scan.sbom_id)).toBe(false);
  });

  test.each(['a first scan of a service', 'a later scan of a service'])(
    'gets no rows from %s that is read while the project is deleted',
    async (which) => {
      const line = new TestLine(world);
      if (which.includes('later')) await line.scanned(world.newSet(axios));
      const digest = world.newSet(lodash);
      const scan = line.upload(digest);
      let forgotten: Promise<boolean> | undefined;
      world.beforeScanAnswer = async (asked) => {
        if (asked === digest) await (forgotten ??= forget(line.project_id));
      };
      await world.bus.publish(scanCompleted, scan);
      await world.settled();
      expect(await forgotten).toBe(false);
      expect(await storedOf(line.project_id)).toEqual(nothing);
      expect(world.reconciled.some(({ sbom_id }) => sbom_id === scan.sbom_id)).toBe(false);
    },
  );

  test('waits for rows that are being written, and takes them along', async () => {
    const line = new TestLine(world);
    await line.scanned(world.newSet(axios));
    const { line_id, project_id } = line;
    const [row] = await line.documents();
    if (!row) throw new Error('It was scanned.');
    const ledgers = world.db.collection<LedgerDocument>('ledgers');
    const rows = world.db.collection<RowDocument>('tracked_vulnerabilities');
    let forgotten: Promise<boolean> | undefined;
    await inTransaction(world.db.client, async (session) => {
      await ledgers.updateOne({ _id: line_id }, { $inc: { version: 1 } }, { session });
      await rows.insertOne({ ...row, _id: newId() }, { session });
      forgotten ??= forget(project_id);
      expect(await Promise.race([forgotten, delay(300, 'waits')])).toBe('waits');
    });
    expect(await forgotten).toBe(false);
    expect(await storedOf(project_id)).toEqual(nothing);
  });

  test('waits for a service that is being added, and takes it along', async () => {
    const line = new TestLine(world);
    const { line_id, project_id } = line;
    const ledgers = world.db.collection<LedgerDocument>('ledgers');
    const empty = { _id: line_id, project_id, version: 0, head: null, revision: 0 };
    let forgotten: Promise<boolean> | undefined;
    await storesOf().projects.addTo(project_id, async (session) => {
      await ledgers.insertOne(empty, { session });
      forgotten ??= forget(project_id);
      expect(await Promise.race([forgotten, delay(300, 'waits')])).toBe('waits');
    });
    expect(await forgotten).toBe(false);
    expect(await storedOf(project_id)).toEqual(nothing);
  });

  test('leaves nothing behind whatever scans end and acceptances are given meanwhile', async () => {
    for (let round = 0; round < 6; round++) {
      const project_id = newId();
      const lines = Array.from({ length: 12 }, () => new TestLine(world, project_id));
      const digest = world.newSet(lodash, axios);
      const [first] = lines;
      if (!first) throw new Error('There are twelve.');
      await first.scanned(digest);
      const [row] = await first.documents();
      const scans = lines.map((line) => line.upload(digest));
      const working = [
        ...scans.map((scan) => world.bus.publish(scanCompleted, scan)),
        ...[null, first.line_id].map((service_id) =>
          world.bus
            .request(createAcceptance, {
              ...{ project_id, service_id, vulnerability_id: row?._id ?? '' },
              ...{ reason: 'r', expires_at: null },
            })
            .catch((error: unknown) =>
              expect(['project_not_found', 'vulnerability_not_found']).toContain(
                (error as { code: string }).code,
              ),
            ),
        ),
      ];
      const some = scans[round];
      await eventually(
        async () =>
          round === 0 || world.reconciled.some(({ sbom_id }) => sbom_id === some?.sbom_id),
        { within: 20_000, what: 'some scans are done' },
      );
      while (await forget(project_id));
      await Promise.all(working);
      await world.settled();
      expect(await storedOf(project_id)).toEqual(nothing);
    }
  }, 120_000);

  test('takes no acceptance, also when it is deleted after the scope was looked at', async () => {
    const { one, project_id } = await threeServices();
    const [row] = await one.documents();
    const projects = world.db.collection<ProjectDocument>('projects');
    await projects.updateOne({ _id: project_id }, { $set: { forgotten: 'purged' } });
    const { acceptances } = storesOf();
    const acceptance = acceptanceOf(one, row?._id ?? '');
    expect(await acceptances.insert(acceptance)).toBe('no_project');
    expect(await acceptances.insert({ ...acceptance, service_id: one.line_id })).toBe('no_project');
    expect((await storedOf(project_id)).acceptances).toBe(0);
  });

  test('is purged in batches that say whether more is left', async () => {
    const { one, two, project_id } = await threeServices();
    const [row] = await one.documents();
    if (!row) throw new Error('It was scanned.');
    const rows = world.db.collection<RowDocument>('tracked_vulnerabilities');
    const more = [one, two].flatMap(({ line_id }) =>
      Array.from({ length: 3 }, () => ({ ...row, _id: randomUUID(), line_id })),
    );
    await rows.insertMany(more);
    const { forgotten: store } = storesOf();
    await store.hideProject(project_id);
    const answers: boolean[] = [];
    do answers.push((await store.purgeProject(project_id, 5)).more);
    while (answers.at(-1));
    expect(answers).toEqual([true, false]);
    expect(await storedOf(project_id)).toEqual(nothing);
  });

  test('with more lines than are purged at once leaves none', async () => {
    const project_id = newId();
    const ledgers = world.db.collection<LedgerDocument>('ledgers');
    const empty = { project_id, version: 1, head: null, revision: 0 };
    await ledgers.insertMany(Array.from({ length: 450 }, () => ({ ...empty, _id: newId() })));
    const answers = [await forget(project_id), await forget(project_id), await forget(project_id)];
    expect(answers).toEqual([true, true, false]);
    expect(await storedOf(project_id)).toEqual(nothing);
  });
});

describe('a deleted service', () => {
  test('is in no list before anything is purged, and others of its project stay', async () => {
    const { one, two, scan, project_id } = await threeServices();
    const dies = await accept(one, { service: true });
    await storesOf().forgotten.hideLine(one);
    expect(await one.documents()).toHaveLength(1);
    expect(await one.listed()).toEqual([]);
    expect((await listedOf(project_id)).map(({ line_id }) => line_id)).toEqual([two.line_id]);
    expect(await acceptancesOf(project_id)).toEqual([]);
    const deleting = world.bus.request(deleteAcceptance, { acceptance_id: dies.id });
    await expect(deleting).rejects.toMatchObject({ code: 'acceptance_not_found' });
    await expect(accept(one, { service: false })).rejects.toMatchObject({
      code: 'vulnerability_not_found',
    });
    await expect(world.bus.request(listSbomVulnerabilities, { ...scan })).rejects.toMatchObject({
      code: 'sbom_not_found',
    });
  });

  test('takes along the acceptances in its scope, those of the project stay in force', async () => {
    const { one, two, project_id } = await threeServices();
    await accept(one, { service: true });
    const elsewhere = await accept(two, { service: true });
    const ofProject = await accept(one, { service: false });
    expect(await forgetService(one)).toBe(false);
    expect((await acceptancesOf(project_id)).sort()).toEqual([elsewhere.id, ofProject.id].sort());
    await world.bus.request(deleteAcceptance, { acceptance_id: elsewhere.id });
    expect(await two.states()).toEqual({ 'lodash GHSA-1': 'accepted' });
    const later = new TestLine(world, project_id);
    await later.scanned(world.newSet(lodash));
    expect(await later.states()).toEqual({ 'lodash GHSA-1': 'accepted' });
  });

  test('leaves nothing but its id, and a late scan or removal brings nothing back', async () => {
    const { one, two, scan } = await threeServices();
    const before = await two.documents();
    const late = one.upload(world.newSet(axios));
    expect(await forgetService(one)).toBe(false);
    await world.bus.publish(scanCompleted, late);
    await world.bus.publish(scanCompleted, { ...scan, attempt: 1, revision: 9 });
    await world.settled();
    await world.bus.request(removeSbom, { ...scan });
    expect(await one.documents()).toEqual([]);
    const log = world.db.collection('sbom_log');
    expect(await log.countDocuments({ line_id: one.line_id })).toBe(0);
    expect(world.reconciled.some(({ sbom_id }) => sbom_id === late.sbom_id)).toBe(false);
    expect(await two.documents()).toEqual(before);
    expect(await forgetService(one)).toBe(false);
    expect((await storesOf().forgotten.hidden()).lines).not.toContain(one.line_id);
  });

  test.each(['first', 'later'])(
    'gets no rows from a %s scan that is read while the service is deleted',
    async (which) => {
      const line = new TestLine(world);
      if (which === 'later') await line.scanned(world.newSet(axios));
      const digest = world.newSet(lodash);
      let forgotten: Promise<boolean> | undefined;
      world.beforeScanAnswer = async (asked) => {
        if (asked === digest) await (forgotten ??= forgetService(line));
      };
      await world.bus.publish(scanCompleted, line.upload(digest));
      await world.settled();
      expect(await forgotten).toBe(false);
      expect(await line.documents()).toEqual([]);
    },
  );

  test('takes no acceptance, also when it is deleted after the scope was looked at', async () => {
    const { one, two, project_id } = await threeServices();
    const [row] = await two.documents();
    await forgetService(one);
    const { acceptances } = storesOf();
    const acceptance = acceptanceOf(one, row?._id ?? '');
    expect(await acceptances.insert({ ...acceptance, service_id: one.line_id })).toBe('no_service');
    expect(await acceptances.insert(acceptance)).toBe('done');
    expect(await acceptancesOf(project_id)).toEqual([acceptance._id]);
  });

  test('of a project that is deleted too adds nothing to it', async () => {
    const { one, project_id } = await threeServices();
    await forget(project_id);
    expect(await forgetService(one)).toBe(false);
    expect(await storedOf(project_id)).toEqual(nothing);
  });
});
