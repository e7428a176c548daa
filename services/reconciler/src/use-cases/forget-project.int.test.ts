import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createAcceptance, listSbomVulnerabilities, scanCompleted } from '@bomtrail/messages';
import { createTurns, inTransaction } from '@bomtrail/service-kit';
import { eventually } from '@bomtrail/testkit';
import type { Db } from 'mongodb';
import { v7 as newId } from 'uuid';
import { createScanCache } from '../cache/scan-cache';
import type { LedgerDocument, KnownProjectDocument, RowDocument } from '../store/documents';
import { createListStore } from '../store/list-store';
import {
  accept,
  acceptanceOf,
  acceptancesOf,
  forget,
  listedOf,
  nothing,
  storedOf,
  storesOf,
  threeServices,
} from '../testing/forgetting';
import { TestLine } from '../testing/line';
import { startReconciler, type TestReconciler } from '../testing/start-reconciler';
import { listSbomVulnerabilities as listVulnerabilities } from './list-sbom-vulnerabilities';
import { createScanReader } from './read-scans';

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

describe('a deleted project', () => {
  test('is in no list, summary or list of acceptances before anything is purged', async () => {
    const { one, other, scan, project_id } = await threeServices(world);
    await accept(world, one, { service: true });
    await accept(world, one, { service: false });
    const third = new TestLine(world, project_id);
    await third.scanned(world.newSet(axios));
    await storesOf(world).forgotten.hideProject(project_id);

    expect((await storedOf(world, project_id)).rows).toBe(3);
    expect(await listedOf(world, project_id)).toEqual([]);
    expect(await third.listed()).toEqual([]);
    const all = await listedOf(world, undefined);
    expect(all.map((row) => row.project_id)).not.toContain(project_id);
    expect(all.map((row) => row.project_id)).toContain(other.project_id);
    expect(await acceptancesOf(world, project_id)).toEqual([]);
    await expect(world.bus.request(listSbomVulnerabilities, { ...scan })).rejects.toMatchObject({
      code: 'sbom_not_found',
    });
  });

  test('is asked for without a look at the rows that wait to be purged, and so is its service', async () => {
    const { one, two, project_id } = await threeServices(world);
    const { forgotten } = storesOf(world);
    const order = { sort: 'cvss_score', order: 'desc' } as const;
    const listOf = async (filter: { project_id?: string; service_id?: string }) => {
      const database = {
        db: withoutRows(world.db),
        client: world.db.client,
        isUp: async () => true,
      };
      const lists = createListStore(database, forgotten);
      const page = await lists.page(filter, order, { skip: 0, limit: 10 });
      return [page.total, (await lists.countBySeverity(filter)).total];
    };
    await expect(listOf({ project_id })).rejects.toThrow('A row was read.');
    await forgotten.hideLine(one);
    expect(await listOf({ service_id: one.line_id })).toEqual([0, 0]);
    await expect(listOf({ service_id: two.line_id })).rejects.toThrow('A row was read.');
    await forgotten.hideProject(project_id);
    expect(await listOf({ project_id })).toEqual([0, 0]);
  });

  test('never makes an SBOM look clean whose rows are purged while they are read', async () => {
    const { scan, project_id } = await threeServices(world);
    const { forgotten, ledgers } = storesOf(world);
    const load = async (lineId: string) => {
      await forget(world, project_id);
      return ledgers.load(lineId);
    };
    const lapses = { projectsWithDue: async () => [], settle: async () => 0 };
    const keep = async () => {};
    const scans = createScanCache(createScanReader({ request: world.bus.request, keep }));
    const { request } = world.bus;
    const deps = {
      ...{ forgotten, ledgers: { ...ledgers, load }, scans, lapses, request },
      inTurn: createTurns(),
    };
    const read = async () => {
      for await (const page of listVulnerabilities(deps, scan)) expect(page).toEqual([]);
    };
    await expect(read()).rejects.toMatchObject({
      code: 'sbom_not_found',
    });
  });

  test('leaves nothing but its id, and other projects as they are', async () => {
    const { one, other, project_id } = await threeServices(world);
    await accept(world, one, { service: false });
    const kept = await accept(world, other, { service: false });
    const before = await other.documents();
    expect(await forget(world, project_id)).toBe(false);
    expect(await storedOf(world, project_id)).toEqual(nothing);
    expect(await other.documents()).toEqual(before);
    expect(await acceptancesOf(world, other.project_id)).toEqual([kept.id]);
    expect(await forget(world, project_id)).toBe(false);
    expect((await storesOf(world).forgotten.hidden()).projects).not.toContain(project_id);
  });

  test('that nobody has heard of is remembered: a late scan brings nothing', async () => {
    const line = new TestLine(world);
    expect(await forget(world, line.project_id)).toBe(false);
    const scan = line.upload(world.newSet(lodash));
    await world.bus.publish(scanCompleted, scan);
    await world.settled();
    expect(await storedOf(world, line.project_id)).toEqual(nothing);
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
        if (asked === digest) await (forgotten ??= forget(world, line.project_id));
      };
      await world.bus.publish(scanCompleted, scan);
      await world.settled();
      expect(await forgotten).toBe(false);
      expect(await storedOf(world, line.project_id)).toEqual(nothing);
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
      forgotten ??= forget(world, project_id);
      expect(await Promise.race([forgotten, delay(300, 'waits')])).toBe('waits');
    });
    expect(await forgotten).toBe(false);
    expect(await storedOf(world, project_id)).toEqual(nothing);
  });

  test('waits for a service that is being added, and takes it along', async () => {
    const line = new TestLine(world);
    const { line_id, project_id } = line;
    const ledgers = world.db.collection<LedgerDocument>('ledgers');
    const empty = { _id: line_id, project_id, version: 0, head: null, revision: 0 };
    let forgotten: Promise<boolean> | undefined;
    await storesOf(world).projects.addTo(project_id, async (session) => {
      await ledgers.insertOne(empty, { session });
      forgotten ??= forget(world, project_id);
      expect(await Promise.race([forgotten, delay(300, 'waits')])).toBe('waits');
    });
    expect(await forgotten).toBe(false);
    expect(await storedOf(world, project_id)).toEqual(nothing);
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
        { what: 'some scans are done' },
      );
      while (await forget(world, project_id));
      await Promise.all(working);
      await world.settled();
      expect(await storedOf(world, project_id)).toEqual(nothing);
    }
  });

  test('takes no acceptance, also when it is deleted after the scope was looked at', async () => {
    const { one, project_id } = await threeServices(world);
    const [row] = await one.documents();
    const projects = world.db.collection<KnownProjectDocument>('known_projects');
    await projects.updateOne({ _id: project_id }, { $set: { forgotten: 'purged' } });
    const { acceptances } = storesOf(world);
    const acceptance = acceptanceOf(one, row?._id ?? '');
    expect(await acceptances.insert(acceptance)).toBe('no_project');
    expect(await acceptances.insert({ ...acceptance, service_id: one.line_id })).toBe('no_project');
    expect((await storedOf(world, project_id)).acceptances).toBe(0);
  });

  test('is purged in batches that say whether more is left', async () => {
    const { one, two, project_id } = await threeServices(world);
    const [row] = await one.documents();
    if (!row) throw new Error('It was scanned.');
    const rows = world.db.collection<RowDocument>('tracked_vulnerabilities');
    const more = [one, two].flatMap(({ line_id }) =>
      Array.from({ length: 3 }, () => ({ ...row, _id: randomUUID(), line_id })),
    );
    await rows.insertMany(more);
    const { forgotten: store } = storesOf(world);
    await store.hideProject(project_id);
    const answers: boolean[] = [];
    do answers.push((await store.purgeProject(project_id, 5)).more);
    while (answers.at(-1));
    expect(answers).toEqual([true, false]);
    expect(await storedOf(world, project_id)).toEqual(nothing);
  });

  test('with more lines than are purged at once leaves none', async () => {
    const project_id = newId();
    const ledgers = world.db.collection<LedgerDocument>('ledgers');
    const empty = { project_id, version: 1, head: null, revision: 0 };
    await ledgers.insertMany(Array.from({ length: 450 }, () => ({ ...empty, _id: newId() })));
    const answers = [
      await forget(world, project_id),
      await forget(world, project_id),
      await forget(world, project_id),
    ];
    expect(answers).toEqual([true, true, false]);
    expect(await storedOf(world, project_id)).toEqual(nothing);
  });
});

/** A database whose rows nobody may read. */
function withoutRows(db: Db): Db {
  const refuse = (): never => {
    throw new Error('A row was read.');
  };
  const rows = { countDocuments: refuse, find: refuse, aggregate: refuse };
  const collection = (name: string): unknown =>
    name === 'tracked_vulnerabilities' ? rows : db.collection(name);
  return new Proxy(db, { get: (_, key) => (key === 'collection' ? collection : undefined) });
}
