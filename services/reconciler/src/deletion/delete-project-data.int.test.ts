import { createRiskStore } from '../risk/store/risk-store';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createAcceptance, listSbomVulnerabilities, scanCompleted } from '@bomtrail/messages';
import { createKeyedMutex } from '@bomtrail/concurrency';
import { inTransaction } from '@bomtrail/mongo';
import { eventually } from '@bomtrail/testkit';
import type { Db } from 'mongodb';
import { v7 as newId } from 'uuid';
import type {
  ServiceStateDocument,
  KnownProjectDocument,
  TrackedVulnerabilityDocument,
} from '../tracking/store/documents';
import { createListStore } from '../queries/store/list-store';
import {
  accept,
  acceptanceOf,
  acceptancesOf,
  deleteProject,
  openOf,
  nothing,
  storedOf,
  storesOf,
  threeServices,
} from '../testing/deletion-helpers';
import { TestService } from '../testing/service';
import { startReconciler, type TestReconciler } from '../testing/start-reconciler';
import { listSbomVulnerabilities as listVulnerabilities } from '../queries/list-sbom-vulnerabilities';
import { createServiceSnapshots, type SnapshotQuery } from '../queries/store/service-snapshots';
import { createDetailsStore } from '../tracking/store/details-store';
import { createScanReader } from '../tracking/scan-reader';

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

describe('a deleted project', () => {
  test('is in no list, summary or list of acceptances before anything is purged', async () => {
    const { one, other, scan, project_id } = await threeServices(harness);
    await accept(harness, one, { service: true });
    await accept(harness, one, { service: false });
    const third = new TestService(harness, project_id);
    await third.scanned(harness.newSet(axios));
    await storesOf(harness).deletions.hideProject(project_id);

    expect((await storedOf(harness, project_id)).vulnerabilities).toBe(3);
    expect(await openOf(harness, project_id)).toEqual([]);
    expect(await third.activeList()).toEqual([]);
    const all = await openOf(harness, undefined);
    expect(all.map((vulnerability) => vulnerability.project_id)).not.toContain(project_id);
    expect(all.map((vulnerability) => vulnerability.project_id)).toContain(other.project_id);
    expect(await acceptancesOf(harness, project_id)).toEqual([]);
    await expect(harness.bus.request(listSbomVulnerabilities, { ...scan })).rejects.toMatchObject({
      code: 'sbom_not_found',
    });
  });

  test('is listed without reading the vulnerabilities that wait to be purged, and so is its service', async () => {
    const { one, two, project_id } = await threeServices(harness);
    const { deletions } = storesOf(harness);
    const order = { sort: 'cvss_score', order: 'desc' } as const;
    const listOf = async (filter: { project_id?: string; service_id?: string }) => {
      const database = {
        db: withoutVulnerabilities(harness.db),
        client: harness.db.client,
        isUp: async () => true,
      };
      const lists = createListStore(database, deletions);
      const page = await lists.page({ ...filter, statuses: ['open'] }, order, {
        skip: 0,
        limit: 10,
      });
      const counts = await lists.countBySeverity({ ...filter, statuses: ['open'] });
      return [page.total, counts.total];
    };
    await expect(listOf({ project_id })).rejects.toThrow('A row was read.');
    await deletions.hideService(one);
    expect(await listOf({ service_id: one.service_id })).toEqual([0, 0]);
    await expect(listOf({ service_id: two.service_id })).rejects.toThrow('A row was read.');
    await deletions.hideProject(project_id);
    expect(await listOf({ project_id })).toEqual([0, 0]);
  });

  test('never makes an SBOM look clean whose vulnerabilities are purged while they are read', async () => {
    const { scan, project_id } = await threeServices(harness);
    const { deletions, states } = storesOf(harness);
    const { request } = harness.bus;
    const { body } = await request(listSbomVulnerabilities, { ...scan });
    const details = createDetailsStore(harness.db);
    const database = { db: harness.db, client: harness.db.client, isUp: async () => true };
    const snapshots = createServiceSnapshots(database, details);
    const deps = {
      deletions,
      states,
      scans: createScanReader({ request, storeDetails: async () => {} }),
      lapses: { projectsWithDue: async () => [], applyDue: async () => 0 },
      request,
      risk: createRiskStore(harness.db),
      details,
      withKey: createKeyedMutex(),
      snapshots: async (query: SnapshotQuery) => {
        const read = await snapshots(query);
        await deleteProject(harness, project_id);
        return read;
      },
    };
    const read = async (): Promise<number> => {
      let found = 0;
      for await (const page of listVulnerabilities(deps, scan)) found += page.length;
      return found;
    };
    expect(body.count).toBeGreaterThan(0);
    expect(await read()).toBe(body.count);
    await expect(read()).rejects.toMatchObject({ code: 'service_unavailable' });
  });

  test('leaves nothing but its id, and other projects as they are', async () => {
    const { one, other, project_id } = await threeServices(harness);
    await accept(harness, one, { service: false });
    const retained = await accept(harness, other, { service: false });
    const before = await other.documents();
    expect(await deleteProject(harness, project_id)).toBe(false);
    expect(await storedOf(harness, project_id)).toEqual(nothing);
    expect(await other.documents()).toEqual(before);
    expect(await acceptancesOf(harness, other.project_id)).toEqual([retained.id]);
    expect(await deleteProject(harness, project_id)).toBe(false);
    expect((await storesOf(harness).deletions.hidden()).projects).not.toContain(project_id);
  });

  test('that is unknown is recorded: a late scan restores nothing', async () => {
    const service = new TestService(harness);
    expect(await deleteProject(harness, service.project_id)).toBe(false);
    const scan = service.upload(harness.newSet(lodash));
    await harness.bus.publish(scanCompleted, scan);
    await harness.finished();
    expect(await storedOf(harness, service.project_id)).toEqual(nothing);
    expect(harness.reconciled.some(({ sbom_id }) => sbom_id === scan.sbom_id)).toBe(false);
  });

  test.each(['a first scan of a service', 'a later scan of a service'])(
    'gets no vulnerabilities from %s that is read while the project is deleted',
    async (which) => {
      const service = new TestService(harness);
      if (which.includes('later')) await service.scanned(harness.newSet(axios));
      const digest = harness.newSet(lodash);
      const scan = service.upload(digest);
      let deletion: Promise<boolean> | undefined;
      harness.beforeScanResponse = async (requested) => {
        if (requested === digest) await (deletion ??= deleteProject(harness, service.project_id));
      };
      await harness.bus.publish(scanCompleted, scan);
      await harness.finished();
      expect(await deletion).toBe(false);
      expect(await storedOf(harness, service.project_id)).toEqual(nothing);
      expect(harness.reconciled.some(({ sbom_id }) => sbom_id === scan.sbom_id)).toBe(false);
    },
  );

  test('waits for vulnerabilities that are being written, and deletes them', async () => {
    const service = new TestService(harness);
    await service.scanned(harness.newSet(axios));
    const { service_id, project_id } = service;
    const [vulnerability] = await service.documents();
    if (!vulnerability) throw new Error('It was scanned.');
    const states = harness.db.collection<ServiceStateDocument>('service_states');
    const vulnerabilities =
      harness.db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');
    let deletion: Promise<boolean> | undefined;
    await inTransaction(harness.db.client, async (session) => {
      await states.updateOne({ _id: service_id }, { $inc: { version: 1 } }, { session });
      await vulnerabilities.insertOne({ ...vulnerability, _id: newId() }, { session });
      deletion ??= deleteProject(harness, project_id);
      expect(await Promise.race([deletion, delay(300, 'waits')])).toBe('waits');
    });
    expect(await deletion).toBe(false);
    expect(await storedOf(harness, project_id)).toEqual(nothing);
  });

  test('waits for a service that is being added, and deletes it', async () => {
    const service = new TestService(harness);
    const { service_id, project_id } = service;
    const states = harness.db.collection<ServiceStateDocument>('service_states');
    const empty = { _id: service_id, project_id, version: 0, head: null, revision: 0 };
    let deletion: Promise<boolean> | undefined;
    await storesOf(harness).projects.addTo(project_id, async (session) => {
      await states.insertOne(empty, { session });
      deletion ??= deleteProject(harness, project_id);
      expect(await Promise.race([deletion, delay(300, 'waits')])).toBe('waits');
    });
    expect(await deletion).toBe(false);
    expect(await storedOf(harness, project_id)).toEqual(nothing);
  });

  test('leaves nothing behind whatever scans end and acceptances are given meanwhile', async () => {
    for (let round = 0; round < 6; round++) {
      const project_id = newId();
      const services = Array.from({ length: 12 }, () => new TestService(harness, project_id));
      const digest = harness.newSet(lodash, axios);
      const [first] = services;
      if (!first) throw new Error('There are twelve.');
      await first.scanned(digest);
      const [vulnerability] = await first.documents();
      const scans = services.map((service) => service.upload(digest));
      const working = [
        ...scans.map((scan) => harness.bus.publish(scanCompleted, scan)),
        ...[null, first.service_id].map((service_id) =>
          harness.bus
            .request(createAcceptance, {
              project_id,
              service_id,
              vulnerability_id: vulnerability?._id ?? '',
              reason: 'r',
              expires_at: null,
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
      while (await deleteProject(harness, project_id));
      await Promise.all(working);
      await harness.finished();
      expect(await storedOf(harness, project_id)).toEqual(nothing);
    }
  });

  test('accepts no acceptance, also if it is deleted after the scope was checked', async () => {
    const { one, project_id } = await threeServices(harness);
    const [vulnerability] = await one.documents();
    const projects = harness.db.collection<KnownProjectDocument>('known_projects');
    await projects.updateOne({ _id: project_id }, { $set: { deletion_state: 'purged' } });
    const { acceptances } = storesOf(harness);
    const acceptance = acceptanceOf(one, vulnerability?._id ?? '');
    expect(await acceptances.insert(acceptance)).toBe('no_project');
    expect(await acceptances.insert({ ...acceptance, services: [one.service_id] })).toBe(
      'no_project',
    );
    expect((await storedOf(harness, project_id)).acceptances).toBe(0);
  });

  test('is purged in batches that say whether more is left', async () => {
    const { one, two, project_id } = await threeServices(harness);
    const [vulnerability] = await one.documents();
    if (!vulnerability) throw new Error('It was scanned.');
    const vulnerabilities =
      harness.db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');
    const more = [one, two].flatMap(({ service_id }) =>
      Array.from({ length: 3 }, () => ({ ...vulnerability, _id: randomUUID(), service_id })),
    );
    await vulnerabilities.insertMany(more);
    const { deletions: store } = storesOf(harness);
    await store.hideProject(project_id);
    const responses: boolean[] = [];
    do responses.push((await store.purgeProject(project_id, 5)).more);
    while (responses.at(-1));
    expect(responses).toEqual([true, false]);
    expect(await storedOf(harness, project_id)).toEqual(nothing);
  });

  test('with more services than are purged at once leaves none', async () => {
    const project_id = newId();
    const states = harness.db.collection<ServiceStateDocument>('service_states');
    const empty = { project_id, version: 1, head: null, revision: 0 };
    await states.insertMany(Array.from({ length: 450 }, () => ({ ...empty, _id: newId() })));
    const responses = [
      await deleteProject(harness, project_id),
      await deleteProject(harness, project_id),
      await deleteProject(harness, project_id),
    ];
    expect(responses).toEqual([true, true, false]);
    expect(await storedOf(harness, project_id)).toEqual(nothing);
  });
});

/** A database whose vulnerabilities nobody may read. */
function withoutVulnerabilities(db: Db): Db {
  const refuse = (): never => {
    throw new Error('A row was read.');
  };
  const vulnerabilities = { countDocuments: refuse, find: refuse, aggregate: refuse };
  const collection = (name: string): unknown =>
    name === 'tracked_vulnerabilities' ? vulnerabilities : db.collection(name);
  return new Proxy(db, { get: (_, key) => (key === 'collection' ? collection : undefined) });
}
