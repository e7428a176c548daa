import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createAcceptance, listSbomVulnerabilities, scanCompleted } from '@bomtrail/messages';
import { createKeyedMutex, inTransaction } from '@bomtrail/service-kit';
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

let harness: TestReconciler;

beforeAll(async () => {
  harness = await startReconciler({ processes: 2 });
});
afterEach(() => {
  harness.beforeScanAnswer = async () => {};
});
afterAll(() => harness?.stop());

const lodash = 'lodash@1.0.0 GHSA-1';
const axios = 'axios@0.1.0 GHSA-2';

describe('a deleted project', () => {
  test('is in no list, summary or list of acceptances before anything is purged', async () => {
    const { one, other, scan, project_id } = await threeServices(harness);
    await accept(harness, one, { service: true });
    await accept(harness, one, { service: false });
    const third = new TestLine(harness, project_id);
    await third.scanned(harness.newSet(axios));
    await storesOf(harness).forgotten.hideProject(project_id);

    expect((await storedOf(harness, project_id)).rows).toBe(3);
    expect(await listedOf(harness, project_id)).toEqual([]);
    expect(await third.listed()).toEqual([]);
    const all = await listedOf(harness, undefined);
    expect(all.map((row) => row.project_id)).not.toContain(project_id);
    expect(all.map((row) => row.project_id)).toContain(other.project_id);
    expect(await acceptancesOf(harness, project_id)).toEqual([]);
    await expect(harness.bus.request(listSbomVulnerabilities, { ...scan })).rejects.toMatchObject({
      code: 'sbom_not_found',
    });
  });

  test('is asked for without a look at the rows that wait to be purged, and so is its service', async () => {
    const { one, two, project_id } = await threeServices(harness);
    const { forgotten } = storesOf(harness);
    const order = { sort: 'cvss_score', order: 'desc' } as const;
    const listOf = async (filter: { project_id?: string; service_id?: string }) => {
      const database = {
        db: withoutRows(harness.db),
        client: harness.db.client,
        isUp: async () => true,
      };
      const lists = createListStore(database, forgotten);
      const page = await lists.page(filter, order, { skip: 0, limit: 10 });
      return [page.total, (await lists.countBySeverity(filter)).total];
    };
    await expect(listOf({ project_id })).rejects.toThrow('A row was read.');
    await forgotten.hideLine(one);
    expect(await listOf({ service_id: one.service_id })).toEqual([0, 0]);
    await expect(listOf({ service_id: two.service_id })).rejects.toThrow('A row was read.');
    await forgotten.hideProject(project_id);
    expect(await listOf({ project_id })).toEqual([0, 0]);
  });

  test('never makes an SBOM look clean whose rows are purged while they are read', async () => {
    const { scan, project_id } = await threeServices(harness);
    const { forgotten, ledgers } = storesOf(harness);
    const load = async (serviceId: string) => {
      await forget(harness, project_id);
      return ledgers.load(serviceId);
    };
    const lapses = { projectsWithDue: async () => [], settle: async () => 0 };
    const keep = async () => {};
    const scans = createScanCache(createScanReader({ request: harness.bus.request, keep }));
    const { request } = harness.bus;
    const deps = {
      ...{ forgotten, ledgers: { ...ledgers, load }, scans, lapses, request },
      withKey: createKeyedMutex(),
    };
    const read = async () => {
      for await (const page of listVulnerabilities(deps, scan)) expect(page).toEqual([]);
    };
    await expect(read()).rejects.toMatchObject({
      code: 'sbom_not_found',
    });
  });

  test('leaves nothing but its id, and other projects as they are', async () => {
    const { one, other, project_id } = await threeServices(harness);
    await accept(harness, one, { service: false });
    const kept = await accept(harness, other, { service: false });
    const before = await other.documents();
    expect(await forget(harness, project_id)).toBe(false);
    expect(await storedOf(harness, project_id)).toEqual(nothing);
    expect(await other.documents()).toEqual(before);
    expect(await acceptancesOf(harness, other.project_id)).toEqual([kept.id]);
    expect(await forget(harness, project_id)).toBe(false);
    expect((await storesOf(harness).forgotten.hidden()).projects).not.toContain(project_id);
  });

  test('that nobody has heard of is remembered: a late scan brings nothing', async () => {
    const line = new TestLine(harness);
    expect(await forget(harness, line.project_id)).toBe(false);
    const scan = line.upload(harness.newSet(lodash));
    await harness.bus.publish(scanCompleted, scan);
    await harness.finished();
    expect(await storedOf(harness, line.project_id)).toEqual(nothing);
    expect(harness.reconciled.some(({ sbom_id }) => sbom_id === scan.sbom_id)).toBe(false);
  });

  test.each(['a first scan of a service', 'a later scan of a service'])(
    'gets no rows from %s that is read while the project is deleted',
    async (which) => {
      const line = new TestLine(harness);
      if (which.includes('later')) await line.scanned(harness.newSet(axios));
      const digest = harness.newSet(lodash);
      const scan = line.upload(digest);
      let forgotten: Promise<boolean> | undefined;
      harness.beforeScanAnswer = async (asked) => {
        if (asked === digest) await (forgotten ??= forget(harness, line.project_id));
      };
      await harness.bus.publish(scanCompleted, scan);
      await harness.finished();
      expect(await forgotten).toBe(false);
      expect(await storedOf(harness, line.project_id)).toEqual(nothing);
      expect(harness.reconciled.some(({ sbom_id }) => sbom_id === scan.sbom_id)).toBe(false);
    },
  );

  test('waits for rows that are being written, and takes them along', async () => {
    const line = new TestLine(harness);
    await line.scanned(harness.newSet(axios));
    const { service_id, project_id } = line;
    const [row] = await line.documents();
    if (!row) throw new Error('It was scanned.');
    const ledgers = harness.db.collection<LedgerDocument>('ledgers');
    const rows = harness.db.collection<RowDocument>('tracked_vulnerabilities');
    let forgotten: Promise<boolean> | undefined;
    await inTransaction(harness.db.client, async (session) => {
      await ledgers.updateOne({ _id: service_id }, { $inc: { version: 1 } }, { session });
      await rows.insertOne({ ...row, _id: newId() }, { session });
      forgotten ??= forget(harness, project_id);
      expect(await Promise.race([forgotten, delay(300, 'waits')])).toBe('waits');
    });
    expect(await forgotten).toBe(false);
    expect(await storedOf(harness, project_id)).toEqual(nothing);
  });

  test('waits for a service that is being added, and takes it along', async () => {
    const line = new TestLine(harness);
    const { service_id, project_id } = line;
    const ledgers = harness.db.collection<LedgerDocument>('ledgers');
    const empty = { _id: service_id, project_id, version: 0, head: null, revision: 0 };
    let forgotten: Promise<boolean> | undefined;
    await storesOf(harness).projects.addTo(project_id, async (session) => {
      await ledgers.insertOne(empty, { session });
      forgotten ??= forget(harness, project_id);
      expect(await Promise.race([forgotten, delay(300, 'waits')])).toBe('waits');
    });
    expect(await forgotten).toBe(false);
    expect(await storedOf(harness, project_id)).toEqual(nothing);
  });

  test('leaves nothing behind whatever scans end and acceptances are given meanwhile', async () => {
    for (let round = 0; round < 6; round++) {
      const project_id = newId();
      const lines = Array.from({ length: 12 }, () => new TestLine(harness, project_id));
      const digest = harness.newSet(lodash, axios);
      const [first] = lines;
      if (!first) throw new Error('There are twelve.');
      await first.scanned(digest);
      const [row] = await first.documents();
      const scans = lines.map((line) => line.upload(digest));
      const working = [
        ...scans.map((scan) => harness.bus.publish(scanCompleted, scan)),
        ...[null, first.service_id].map((service_id) =>
          harness.bus
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
          round === 0 || harness.reconciled.some(({ sbom_id }) => sbom_id === some?.sbom_id),
        { what: 'some scans are done' },
      );
      while (await forget(harness, project_id));
      await Promise.all(working);
      await harness.finished();
      expect(await storedOf(harness, project_id)).toEqual(nothing);
    }
  });

  test('takes no acceptance, also when it is deleted after the scope was looked at', async () => {
    const { one, project_id } = await threeServices(harness);
    const [row] = await one.documents();
    const projects = harness.db.collection<KnownProjectDocument>('known_projects');
    await projects.updateOne({ _id: project_id }, { $set: { forgotten: 'purged' } });
    const { acceptances } = storesOf(harness);
    const acceptance = acceptanceOf(one, row?._id ?? '');
    expect(await acceptances.insert(acceptance)).toBe('no_project');
    expect(await acceptances.insert({ ...acceptance, service_id: one.service_id })).toBe(
      'no_project',
    );
    expect((await storedOf(harness, project_id)).acceptances).toBe(0);
  });

  test('is purged in batches that say whether more is left', async () => {
    const { one, two, project_id } = await threeServices(harness);
    const [row] = await one.documents();
    if (!row) throw new Error('It was scanned.');
    const rows = harness.db.collection<RowDocument>('tracked_vulnerabilities');
    const more = [one, two].flatMap(({ service_id }) =>
      Array.from({ length: 3 }, () => ({ ...row, _id: randomUUID(), service_id })),
    );
    await rows.insertMany(more);
    const { forgotten: store } = storesOf(harness);
    await store.hideProject(project_id);
    const responses: boolean[] = [];
    do responses.push((await store.purgeProject(project_id, 5)).more);
    while (responses.at(-1));
    expect(responses).toEqual([true, false]);
    expect(await storedOf(harness, project_id)).toEqual(nothing);
  });

  test('with more lines than are purged at once leaves none', async () => {
    const project_id = newId();
    const ledgers = harness.db.collection<LedgerDocument>('ledgers');
    const empty = { project_id, version: 1, head: null, revision: 0 };
    await ledgers.insertMany(Array.from({ length: 450 }, () => ({ ...empty, _id: newId() })));
    const responses = [
      await forget(harness, project_id),
      await forget(harness, project_id),
      await forget(harness, project_id),
    ];
    expect(responses).toEqual([true, true, false]);
    expect(await storedOf(harness, project_id)).toEqual(nothing);
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
