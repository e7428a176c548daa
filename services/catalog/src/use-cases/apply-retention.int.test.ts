import {
  createProject,
  findReferences,
  getProject,
  getSbom,
  listServiceLevels,
  listProjectHistory,
  updateProject,
  type ContentNames,
  type Retention,
  type LicensePolicy,
  type ServiceLevels,
} from '@bomtrail/messages';
import { createLogger } from '@bomtrail/telemetry';
import { eventually } from '@bomtrail/testkit';
import { createServiceStore } from '../store/service-store';
import { createRetentionStore, type RetentionStore } from '../store/retention-store';
import { createSbomStore } from '../store/sbom-store';
import { anySha, startCatalog, type TestCatalog } from '../testing/start-catalog';
import { applyRetention } from './apply-retention';

const dayMs = 24 * 60 * 60 * 1000;

let catalog: TestCatalog;
const expired: string[] = [];
const marked: ContentNames[] = [];
let endFakes: (() => void)[] = [];

beforeAll(async () => {
  catalog = await startCatalog({
    processes: 2,
    env: { BOMTRAIL_RETENTION_KEEP_LAST: '4', BOMTRAIL_RETENTION_INTERVAL_SECONDS: '1' },
  });
  endFakes = [catalog.fakeReconciler([], expired), catalog.fakeOwners({ available: [], marked })];
});
afterAll(async () => {
  for (const end of endFakes) end();
  await catalog?.stop();
});

/** A project with this retention, and so many scanned SBOMs of one service, the oldest first, as many days old. */
async function serviceWith(retention: Retention | null | undefined, ages: readonly number[]) {
  const name = `Retention ${anySha()}`;
  const rest = { description: null, repo_url: null, platform: null };
  // Everything is kept until all is there.
  const off = { keep_last: null, keep_days: null };
  const { body } = await catalog.bus.request(createProject, { name, ...rest, retention: off });
  const ids: string[] = [];
  for (const [index, age] of ages.entries()) {
    const { id } = await catalog.upload({ project_id: body.id, version: String(index) });
    await catalog.sboms.updateOne(
      { _id: id },
      {
        $set: { scan_status: 'scanned', created_at: new Date(Date.now() - age * dayMs) },
        $unset: { retry_at: '' },
      },
    );
    ids.push(id);
  }
  const keep = () => update(body.id, { retention });
  return { project_id: body.id, ids, keep };
}

const update = async (project_id: string, changes: { retention?: Retention | null | undefined }) =>
  (await catalog.bus.request(updateProject, { project_id, changes })).body;

/** The SBOMs of the history whose content is retained. */
async function retainedOf(project_id: string): Promise<string[]> {
  const requested = { project_id, page: 1, per_page: 200 };
  const { body } = await catalog.bus.request(listProjectHistory, requested);
  expect(body.total).toBe(body.items.length);
  return body.items.flatMap(({ id, retained }) => (retained ? id : [])).sort();
}

/** Until the sweep has looked at every line once more. */
async function untilLeft(project_id: string, left: readonly string[]): Promise<void> {
  const isLeft = async () => expect(await retainedOf(project_id)).toEqual([...left].sort());
  await eventually(isLeft, { what: 'only what is kept is left' });
}

describe('retention of a project', () => {
  test('expires what is beyond the last ones, and keeps its place in the history', async () => {
    const { project_id, ids, keep } = await serviceWith({ keep_last: 2, keep_days: null }, [
      ...[5, 4, 3, 2, 1],
    ]);
    const before = await catalog.sboms.find({ project_id }).sort({ seq: 1 }).toArray();
    await keep();
    await untilLeft(project_id, ids.slice(3));
    const gone = ids.slice(0, 3);
    expect(expired).toEqual(expect.arrayContaining(gone));
    for (const [index, sbom_id] of gone.entries()) {
      const { sha256 = '', digest = '' } = before[index] ?? {};
      const { body } = await catalog.bus.request(getSbom, { sbom_id });
      const version = String(index);
      expect(body).toMatchObject({ id: sbom_id, retained: false, version, sha256, digest });
      expect(marked.flatMap(({ documents }) => documents)).toContain(sha256);
      const requested = { documents: [sha256], sets: [digest] };
      const referred = await catalog.bus.request(findReferences, requested);
      expect(referred.body.documents).toEqual([]);
    }
    const service = { seq: 5, latest: { sbom_id: ids[4] }, sbom_count: 5, expired_to: 3 };
    expect(await catalog.services.findOne({ project_id })).toMatchObject(service);
  });

  test('leaves what waits for a re-scan, and the newest that passed a gate', async () => {
    const { project_id, ids, keep } = await serviceWith({ keep_last: 1, keep_days: null }, [
      ...[5, 4, 3, 2, 1],
    ]);
    const [first = '', second = '', , fourth = '', fifth = ''] = ids;
    const rescan = { revision: 2, retry_at: new Date(Date.now() + dayMs), requests: 0 };
    await catalog.sboms.updateOne({ _id: first }, { $set: { rescan } });
    for (const _id of [second, fourth])
      await catalog.sboms.updateOne({ _id }, { $set: { gate_passed: ['high'] } });
    await keep();
    await untilLeft(project_id, [first, fourth, fifth]);
    await catalog.sboms.updateOne({ _id: first }, { $unset: { rescan: '' } });
    await untilLeft(project_id, [fourth, fifth]);
  });

  test('expires what is old, but never the latest', async () => {
    const { project_id, ids, keep } = await serviceWith({ keep_last: null, keep_days: 30 }, [
      ...[90, 80, 70],
    ]);
    await keep();
    await untilLeft(project_id, ids.slice(2));
  });

  test('keeps pending SBOMs and the newest scanned one', async () => {
    const { project_id, ids, keep } = await serviceWith({ keep_last: 1, keep_days: null }, [
      ...[6, 5, 4, 3, 2],
    ]);
    const [first = '', , third = '', fourth = '', fifth = ''] = ids;
    await catalog.sboms.updateOne({ _id: first }, { $set: { scan_status: 'pending' } });
    await catalog.sboms.updateOne({ _id: fourth }, { $set: { scan_status: 'failed' } });
    await catalog.sboms.updateOne({ _id: fifth }, { $set: { scan_status: 'failed' } });
    await keep();
    await untilLeft(project_id, [first, third, fifth]);
    await catalog.sboms.updateOne({ _id: fifth }, { $set: { scan_status: 'scanned' } });
    await untilLeft(project_id, [first, fifth]);
  });

  test('uses the default without own retention, and keeps everything if set so', async () => {
    const ages = [6, 5, 4, 3, 2, 1];
    const all = await serviceWith({ keep_last: null, keep_days: null }, ages);
    const own = await serviceWith({ keep_last: 5, keep_days: null }, ages);
    const none = await serviceWith(null, ages);
    expect((await all.keep()).retention).toEqual({ keep_last: null, keep_days: null });
    expect((await own.keep()).retention).toEqual({ keep_last: 5, keep_days: null });
    expect((await none.keep()).retention).toBeNull();
    await untilLeft(none.project_id, none.ids.slice(2));
    await untilLeft(own.project_id, own.ids.slice(1));
    expect(await retainedOf(all.project_id)).toEqual([...all.ids].sort());
  });

  test('expires many SBOMs of a service in one request, and keeps the newest despite concurrent uploads', async () => {
    const ages = Array.from({ length: 60 }, (_, index) => 60 - index);
    const { project_id, keep } = await serviceWith({ keep_last: 3, keep_days: null }, ages);
    await keep();
    const later: string[] = [];
    for (const version of ['a', 'b', 'c', 'd', 'e']) {
      const { id } = await catalog.upload({ project_id, version });
      await catalog.sboms.updateOne({ _id: id }, { $set: { scan_status: 'scanned' } });
      later.push(id);
    }
    await untilLeft(project_id, later.slice(2));
    const service = await catalog.services.findOne({ project_id });
    expect(service).toMatchObject({
      latest: { sbom_id: later[4] },
      sbom_count: 65,
    });
  });
});

test('a delete of the newest SBOMs and retention at the same time leave a head that exists', async () => {
  for (let round = 0; round < 5; round++) {
    const { project_id, ids, keep } = await serviceWith(
      { keep_last: 1, keep_days: null },
      [3, 2, 1],
    );
    const services = createServiceStore(catalog.database);
    const service = await catalog.services.findOne({ project_id });
    const [, second = '', third = ''] = ids;
    await Promise.all([
      services.addTombstones(service?._id ?? '', [third], { now: new Date() }),
      services.addTombstones(service?._id ?? '', [second], { now: new Date(), exceptLatest: true }),
    ]);
    const after = await catalog.services.findOne({ project_id });
    const latest = await catalog.sboms.findOne({ _id: after?.latest?.sbom_id ?? '' });
    expect(latest?.deleted_at).toBeUndefined();
    expect(latest?._id).toBe((await newestOf(project_id))?._id);
    await keep();
  }
});

/** Applies retention to one project that the sweeps of the processes leave alone, with these reads in place of the stored ones. */
async function applyTo(
  project_id: string,
  options: { retention: Retention; sboms: number; reads?: Partial<RetentionStore> },
) {
  const { db } = catalog.database;
  const project = await catalog.projects.findOne({ _id: project_id });
  if (!project) throw new Error('It is stored.');
  return applyRetention(
    {
      retention: {
        ...createRetentionStore(db),
        pass: async () => ({ project_id: '', service_id: '' }),
        storePass: async () => {},
        projectsFrom: async () => [{ ...project, retention: options.retention }],
        ...options.reads,
      },
      sboms: createSbomStore(db),
      request: catalog.bus.request,
      defaultRetention: { keep_last: null, keep_days: null },
    },
    {
      sboms: options.sboms,
      withinMs: 60_000,
      log: createLogger({ service: 'catalog', level: 'silent', format: 'json' }),
    },
  );
}

/** `oldest` of the store, which fails after this many calls. */
function oldestAtMost(calls: number, before: (call: number) => Promise<void> = async () => {}) {
  const { oldest } = createRetentionStore(catalog.database.db);
  let looks = 0;
  return async (...requested: Parameters<typeof oldest>) => {
    const found = await oldest(...requested);
    if (++looks > calls) throw new Error('It goes round in circles.');
    await before(looks);
    return found;
  };
}

test('concurrent deletes of all newer SBOMs leave an expired one as the latest, which no upload repeats', async () => {
  const ages = [5, 4, 3, 2, 1];
  const { project_id, ids } = await serviceWith({ keep_last: null, keep_days: null }, ages);
  const services = createServiceStore(catalog.database);
  const service = await catalog.services.findOne({ project_id });
  if (!service) throw new Error('It is stored.');
  const oldest = oldestAtMost(5, async (call) => {
    if (call === 1) await services.addTombstones(service._id, ids.slice(2), { now: new Date() });
  });
  const retention = { keep_last: 1, keep_days: null };
  const round = await applyTo(project_id, { retention, sboms: 2, reads: { oldest } });
  expect(round).toEqual({ expired: 2, failed: 0, complete: false });
  const latest = { sbom_id: ids[1], sha256: '', digest: '' };
  await services.addTombstones(service._id, [], { now: new Date() });
  expect(await catalog.services.findOne({ project_id })).toMatchObject({ latest });
});

test('SBOMs that wait for a re-scan, as many as expire at once, do not hold up those behind them', async () => {
  const ages = [5, 4, 3, 2, 1];
  const { project_id, ids } = await serviceWith({ keep_last: null, keep_days: null }, ages);
  const rescan = { revision: 2, retry_at: new Date(Date.now() + dayMs), requests: 0 };
  await catalog.sboms.updateMany({ _id: { $in: ids.slice(0, 2) } }, { $set: { rescan } });
  const retention = { keep_last: 1, keep_days: null };
  const round = await applyTo(project_id, {
    retention,
    sboms: 2,
    reads: { oldest: oldestAtMost(5) },
  });
  expect(round).toMatchObject({ expired: 2, failed: 0 });
  expect(await retainedOf(project_id)).toEqual([ids[0], ids[1], ids[4]].sort());
});

test('a project keeps its retention through other changes, and null restores the default', async () => {
  const { project_id } = await serviceWith(null, []);
  const retention = { keep_last: 7, keep_days: 30 };
  expect((await update(project_id, { retention })).retention).toEqual(retention);
  const renamed = { project_id, changes: { description: 'other' } };
  expect((await catalog.bus.request(updateProject, renamed)).body.retention).toEqual(retention);
  expect((await update(project_id, { retention: null })).retention).toBeNull();
  const { body } = await catalog.bus.request(getProject, { project_id, project_slug: null });
  expect(body).toMatchObject({ retention: null, description: 'other' });
});

const newestOf = (project_id: string) =>
  catalog.sboms
    .find({ project_id, deleted_at: { $exists: false } })
    .sort({ seq: -1 })
    .limit(1)
    .next();

test('a licence policy is kept as it was given, replaced as a whole, and cleared by null', async () => {
  const { project_id } = await serviceWith(null, []);
  const change = async (license_policy: LicensePolicy | null) =>
    (await catalog.bus.request(updateProject, { project_id, changes: { license_policy } })).body
      .license_policy;
  const policy: LicensePolicy = {
    groups: { network_copyleft: 'deny' },
    licenses: [{ license: 'BUSL-1.1', action: 'deny' }],
    exceptions: [{ purl: 'pkg:npm/a.b@1.0.0', reason: 'known', expires_at: null }],
  };
  expect(await change(policy)).toEqual(policy);
  expect(await change({ unknown: 'deny' })).toEqual({ unknown: 'deny' });
  expect(await change(null)).toBeNull();
  expect(await catalog.projects.findOne({ _id: project_id })).not.toHaveProperty('license_policy');
});

test('service levels are replaced as a whole, and null clears them', async () => {
  const { project_id } = await serviceWith(null, []);
  const change = async (changes: { service_levels?: ServiceLevels | null; description?: string }) =>
    (await catalog.bus.request(updateProject, { project_id, changes })).body.service_levels;
  expect(await change({ service_levels: { critical: 7, high: 30 } })).toEqual({
    critical: 7,
    high: 30,
  });
  expect(await change({ description: 'other' })).toEqual({ critical: 7, high: 30 });
  const listed = async (of: { project_id?: string }) =>
    (await catalog.bus.request(listServiceLevels, of)).body;
  const levelled = [{ service_levels: { critical: 7, high: 30 }, project_ids: [project_id] }];
  expect(await listed({ project_id })).toEqual(levelled);
  expect(await listed({})).toEqual(levelled);
  expect(await change({ service_levels: { high: 14 } })).toEqual({ high: 14 });
  expect(await change({ service_levels: null })).toBeNull();
  expect(await listed({})).toEqual([]);
  expect(await catalog.projects.findOne({ _id: project_id })).not.toHaveProperty('service_levels');
  const ships = async (ships_products: boolean) =>
    (await catalog.bus.request(updateProject, { project_id, changes: { ships_products } })).body
      .ships_products;
  expect([await ships(true), await ships(false)]).toEqual([true, false]);
  expect(await catalog.projects.findOne({ _id: project_id })).not.toHaveProperty('ships_products');
});
