import { randomUUID } from 'node:crypto';
import {
  AppError,
  checkScope,
  deleteProject,
  deleteSbom,
  getProject,
  getSbom,
  listProjectHistory,
  listProjects,
  listServiceLevels,
  listServices,
  nameServices,
  requestRescans,
  updateProject,
  type DeletionProgress,
} from '@bomtrail/messages';
import { eventually } from '@bomtrail/testkit';
import {
  anySha,
  owners,
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

const maxFailures = 30_000;
const remove = (project_id: string) => catalog.bus.request(deleteProject, { project_id });
const unknown = { code: 'project_not_found' };

function play(fakes: FakeOwners = {}): void {
  endOwners = catalog.fakeOwners(fakes);
}

/** What the catalog stores of a project, tombstone included. */
async function stored(project_id: string) {
  const [services, sboms, deletions] = await Promise.all([
    catalog.services.countDocuments({ project_id }),
    catalog.sboms.countDocuments({ project_id }),
    catalog.deletions.countDocuments({ project_id }),
  ]);
  return { services, sboms, deletions };
}

function purged(project_id: string, within = maxFailures): Promise<unknown> {
  return eventually(
    async () => expect(await stored(project_id)).toEqual({ services: 0, sboms: 0, deletions: 0 }),
    { within, what: 'nothing of the project is left' },
  );
}

describe('a deleted project', () => {
  test('is hidden from every read with all its data from the response on', async () => {
    play({ respond: () => ({ more: true }) });
    const project = await catalog.newProject('Seen no more');
    const { id: project_id } = project;
    const digest = anySha();
    const { id: sbom_id } = await catalog.upload({ project_id, digest });
    const service = await catalog.services.findOne({ project_id });
    const service_id = service?._id ?? '';
    await remove(project_id);

    const { bus } = catalog;
    expect(await catalog.sboms.countDocuments({ project_id })).toBe(1);
    for (const named of [
      { project_id, project_slug: null },
      { project_id: null, project_slug: project.slug },
    ])
      await expect(bus.request(getProject, named)).rejects.toMatchObject(unknown);
    const page = { page: 1, per_page: 200 };
    const listed = await bus.request(listProjects, { ...page, name: 'seen no more' });
    expect(listed.body).toMatchObject({ items: [], total: 0 });
    await expect(bus.request(listProjectHistory, { ...page, project_id })).rejects.toMatchObject(
      unknown,
    );
    await expect(bus.request(getSbom, { sbom_id })).rejects.toMatchObject({
      code: 'sbom_not_found',
    });
    expect((await bus.request(listServices, { project_id })).body).toEqual([]);
    expect((await bus.request(nameServices, { service_ids: [service_id] })).body).toEqual([]);
    expect((await bus.request(listServiceLevels, { project_id })).body).toEqual([]);
    for (const scope of [null, service_id])
      await expect(
        bus.request(checkScope, { project_id, service_id: scope }),
      ).rejects.toMatchObject(unknown);
    await expect(
      bus.request(updateProject, { project_id, changes: { name: 'Back again' } }),
    ).rejects.toMatchObject(unknown);
    await expect(bus.request(deleteSbom, { sbom_id })).rejects.toMatchObject({
      code: 'sbom_not_found',
    });
    await expect(catalog.upload({ project_id })).rejects.toMatchObject(unknown);
    await expect(
      catalog.upload({ project_id: null, project_slug: project.slug }),
    ).rejects.toMatchObject(unknown);
    expect((await bus.request(requestRescans, rescanOf(digest, 3))).body).toEqual({
      services: 0,
    });
  });

  test('requests no scans again, however overdue', async () => {
    play({ respond: () => ({ more: true }) });
    const { id: project_id } = await catalog.newProject();
    const { id: gone } = await catalog.upload({ project_id });
    const { id: other } = await catalog.newProject();
    const { id: alive } = await catalog.upload({ project_id: other });
    const requested = (id: string) => catalog.scans.filter(({ sbom_id }) => sbom_id === id).length;
    await eventually(() => requested(gone) === 1, { what: 'its upload is heard of' });
    await remove(project_id);
    const overdue = {
      $set: { retry_at: new Date(0), rescan: { revision: 2, retry_at: new Date(0), requests: 0 } },
    };
    await catalog.sboms.updateOne({ _id: gone }, overdue);
    await catalog.sboms.updateOne({ _id: alive }, overdue);
    await eventually(() => requested(alive) === 3, { what: 'the sweep was there' });
    expect(requested(gone)).toBe(1);
  });

  test('leaves its name and its slug free at once', async () => {
    play();
    const first = await catalog.newProject('Free again');
    await remove(first.id);
    const second = await catalog.newProject('FREE again');
    expect(second).toMatchObject({ slug: first.slug, name: 'FREE again' });
    expect(second.id).not.toBe(first.id);
    const { id: sbom_id } = await catalog.upload({ project_slug: first.slug });
    expect((await catalog.bus.request(getSbom, { sbom_id })).body.project_id).toBe(second.id);
    await expect(remove(first.id)).rejects.toMatchObject(unknown);
  });

  test('is deleted by exactly one of twenty parallel calls', async () => {
    play();
    const { id } = await catalog.newProject();
    await catalog.upload({ project_id: id });
    const calls = await Promise.allSettled(Array.from({ length: 20 }, () => remove(id)));
    expect(calls.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const call of calls) {
      if (call.status === 'rejected') expect(call.reason).toMatchObject(unknown);
    }
  });

  test('calls every owner before the response', async () => {
    const requested: string[] = [];
    play({ requested, respond: () => ({ more: true }) });
    const { id } = await catalog.newProject();
    await remove(id);
    // Projects of the tests before this one are still purged beside it.
    const own = requested.filter((one) => one.endsWith(id));
    expect(new Set(own)).toEqual(new Set(owners.map((owner) => `${owner} ${id}`)));
  });

  test.each(owners)(
    'is gone but not acknowledged while the %s does not answer, and repeating the delete ends it',
    async (missing) => {
      const requested: string[] = [];
      play({ requested, available: owners.filter((owner) => owner !== missing) });
      const { id } = await catalog.newProject();
      await catalog.upload({ project_id: id });
      await expect(remove(id)).rejects.toMatchObject({ code: 'service_unavailable' });
      // A key that is bound to the project must be able to repeat the delete.
      expect(requested).not.toContain(`gateway ${id}`);
      const named = { project_id: id, project_slug: null };
      await expect(catalog.bus.request(getProject, named)).rejects.toMatchObject(unknown);
      endOwners();
      play();
      const again = await Promise.allSettled([remove(id), remove(id), remove(id)]);
      expect(again.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      await expect(remove(id)).rejects.toMatchObject(unknown);
      await purged(id);
    },
  );

  test('that never existed cannot be deleted, and no owner is called', async () => {
    const requested: string[] = [];
    play({ requested });
    const id = randomUUID();
    await expect(remove(id)).rejects.toMatchObject(unknown);
    expect(requested.filter((one) => one.includes(id))).toEqual([]);
  });
});

describe('uploads while their project is deleted', () => {
  /** Uploads one document after the other until one is refused; how many were accepted, and why the last was not. */
  async function uploadUntilRefused(project_id: string, service_name: string) {
    for (let accepted = 0; ; accepted++) {
      const refused = await catalog.upload({ project_id, service_name }).then(
        () => null,
        (error: AppError) => error.code,
      );
      if (refused) return { accepted, refused };
    }
  }

  test('are accepted and then deleted, or rejected, and leave nothing behind', async () => {
    play();
    for (let round = 0; round < 8; round++) {
      const { id: project_id } = await catalog.newProject();
      await catalog.upload({ project_id, service_name: 'old' });
      const uploaders = Array.from({ length: 8 }, (_, n) =>
        uploadUntilRefused(project_id, n % 2 ? 'old' : `new ${n}`),
      );
      const several = () =>
        catalog.sboms
          .countDocuments({ project_id })
          .then((count) => expect(count).toBeGreaterThan(8));
      await eventually(several, { what: 'uploads are under way' });
      const [, ...outcomes] = await Promise.all([remove(project_id), ...uploaders]);
      for (const { refused } of outcomes) expect(refused).toBe('project_not_found');
      expect(await catalog.services.countDocuments({ project_id })).toBe(0);
      await purged(project_id);
    }
  });
});

describe('what is left of a deleted project is purged', () => {
  test('in batches, until no record is left', async () => {
    play();
    const { id: project_id } = await catalog.newProject();
    const { id } = await catalog.upload({ project_id });
    const sbom = await catalog.sboms.findOne({ _id: id });
    if (!sbom) throw new Error('It was stored.');
    await catalog.sboms.insertMany(
      Array.from({ length: 2_500 }, (_, n) => ({ ...sbom, _id: randomUUID(), seq: n + 2 })),
    );
    await remove(project_id);
    await purged(project_id);
  });

  test('until every owner has no data left, the gateway last', async () => {
    const requested: string[] = [];
    const { id: project_id } = await catalog.newProject();
    let batches = 5;
    let failures = 0;
    const respond = (owner: string, id: string): DeletionProgress | void => {
      if (id !== project_id) return;
      if (owner === 'reconciler' && batches-- > 0) return { more: true };
      if (owner === 'notifier' && failures++ > 0 && failures < 5)
        throw new AppError('internal_error');
    };
    play({ requested, respond });
    await remove(project_id);
    await purged(project_id);
    const own = requested.filter((one) => one.endsWith(project_id)).map((one) => one.split(' ')[0]);
    const times = (owner: string) => own.filter((one) => one === owner).length;
    expect([times('reconciler'), times('notifier'), times('gateway')]).toEqual([6, 5, 2]);
    expect(own.slice(0, 3)).toEqual(owners);
    expect(own.at(-1)).toBe('gateway');
  });

  test('also while others fail at an owner again and again', async () => {
    // More than the sweep bears with in one round, and older than the one behind them.
    const broken = await Promise.all(Array.from({ length: 4 }, () => catalog.newProject()));
    const { id: project_id } = await catalog.newProject();
    let repaired = false;
    const respond = (owner: string, id: string): void => {
      if (owner === 'reconciler' && id !== project_id && !repaired) {
        throw new AppError('internal_error');
      }
    };
    play({ respond });
    for (const { id } of broken) {
      await expect(remove(id)).rejects.toMatchObject({ code: 'internal_error' });
    }
    await remove(project_id);
    await purged(project_id);
    for (const { id } of broken) {
      expect(await catalog.deletions.findOne({ _id: id })).toMatchObject({ responded_at: null });
    }
    repaired = true;
    for (const { id } of broken) {
      await remove(id);
      await purged(id);
    }
  });

  test.each<[string, string[]]>([
    ['its lines and records', []],
    ['its records', ['services']],
    ['only what the owners have', ['services', 'sboms']],
  ])('also when the process ended at a moment when there were still %s', async (_moment, done) => {
    const { id: project_id } = await catalog.newProject();
    await catalog.upload({ project_id });
    await catalog.upload({ project_id, service_name: null });
    await catalog.projects.deleteOne({ _id: project_id });
    await catalog.deletions.insertOne({
      _id: project_id,
      kind: 'project',
      project_id,
      acknowledged: ['notifier'],
      begun_at: new Date(),
      responded_at: new Date(),
    });
    if (done.includes('services')) await catalog.services.deleteMany({ project_id });
    if (done.includes('sboms')) await catalog.sboms.deleteMany({ project_id });
    const requested: string[] = [];
    play({ requested });
    await purged(project_id);
    expect(requested.filter((one) => one.endsWith(project_id)).sort()).toEqual([
      `gateway ${project_id}`,
      `reconciler ${project_id}`,
    ]);
  });

  test('and an unacknowledged tombstone waits an hour for a repeated delete', async () => {
    play({ available: ['reconciler', 'notifier'] });
    const { id } = await catalog.newProject();
    await expect(remove(id)).rejects.toMatchObject({ code: 'service_unavailable' });
    endOwners();
    play();
    await eventually(
      async () => {
        const tombstone = await catalog.deletions.findOne({ _id: id });
        expect(tombstone?.acknowledged.length).toBe(5);
      },
      { what: 'everything is purged' },
    );
    await remove(id);
    await purged(id);

    const old = await catalog.newProject();
    await catalog.projects.deleteOne({ _id: old.id });
    await catalog.deletions.insertOne({
      _id: old.id,
      kind: 'project',
      project_id: old.id,
      acknowledged: [],
      begun_at: new Date(Date.now() - 3_600_001),
      responded_at: null,
    });
    await purged(old.id);
  });

  test('however many older ones wait for their delete to be repeated', async () => {
    play();
    // More than one round of the sweep takes up.
    const waiting = Array.from({ length: 1_100 }, () => randomUUID());
    await catalog.deletions.insertMany(
      waiting.map((id) => ({
        _id: id,
        kind: 'project' as const,
        project_id: id,
        acknowledged: [...owners, 'ingest' as const, 'scanner' as const],
        begun_at: new Date(Date.now() - 60_000),
        responded_at: null,
      })),
    );
    const { id: project_id } = await catalog.newProject();
    await catalog.upload({ project_id });
    await remove(project_id);
    await purged(project_id, 3 * maxFailures);
    await remove(waiting[0] ?? '');
    await purged(waiting[0] ?? '');
    await catalog.deletions.deleteMany({ _id: { $in: waiting } });
  });
});
