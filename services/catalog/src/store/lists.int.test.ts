import { randomUUID } from 'node:crypto';
import { listProjectHistory, listProjects, listServices } from '@bomtrail/messages';
import type { Document } from 'mongodb';
import { anySha, startCatalog, type TestCatalog } from '../testing/start-catalog';
import type { ServiceDocument, ProjectDocument, SbomDocument } from './documents';

/** Enough for page 100 of 10 and more. */
const count = 1500;
const platforms = ['Kubernetes', 'kubernetes', 'lambda'];
const projectId = randomUUID();
const begin = Date.UTC(2026, 0, 1);

let catalog: TestCatalog;

beforeAll(async () => {
  catalog = await startCatalog();
  const numbers = Array.from({ length: count }, (_, n) => n);
  await catalog.projects.insertMany(numbers.map(project));
  await catalog.projects.insertOne({ ...project(count), _id: projectId });
  await catalog.services.insertMany(numbers.map(service));
  await catalog.sboms.insertMany(numbers.map(sbom));
  await catalog.database.db.command({ profile: 2 });
});
afterAll(() => catalog?.stop());

function project(n: number): ProjectDocument {
  const name = `Shop ${n}`;
  return {
    _id: randomUUID(),
    name,
    name_key: name.toLowerCase(),
    slug: `shop-${n}`,
    description: null,
    repo_url: null,
    platform: platforms[n % platforms.length] ?? null,
    // Several at the same moment, so that ties count.
    created_at: new Date(begin + Math.floor(n / 7) * 1000),
    updated_at: null,
  };
}

function service(n: number): ServiceDocument {
  return {
    _id: randomUUID(),
    project_id: projectId,
    name: n === 0 ? null : `service ${n}`,
    created_at: new Date(begin),
    seq: count,
    latest: null,
    sbom_count: n === 0 ? count : 0,
  };
}

function sbom(n: number): SbomDocument {
  return {
    _id: randomUUID(),
    project_id: projectId,
    service_id: projectId,
    seq: n + 1,
    version: null,
    format: 'cyclonedx',
    spec_version: '1.6',
    sha256: anySha(),
    digest: anySha(),
    dependency_count: 1,
    scan_status: 'scanned',
    scanned_at: new Date(begin),
    created_at: new Date(begin + Math.floor(n / 7) * 1000),
  };
}

/** The reads of these collections that a question has caused; `of`: what they ask for, where sweeps read there too. */
async function readsOf(
  requested: { collection: string; of?: string },
  question: () => Promise<unknown>,
): Promise<Document[]> {
  const { db } = catalog.database;
  const from = new Date();
  await question();
  const ns = `${db.databaseName}.${requested.collection}`;
  const where = { ns, ts: { $gte: from }, op: { $in: ['query', 'command'] } };
  const reads = await db.collection('system.profile').find(where).toArray();
  return reads.filter(({ command }) => JSON.stringify(command).includes(requested.of ?? ''));
}

const pages = [
  ['the first page', 1],
  ['page 100', 100],
] as const;
const filters = [
  ['all', {}],
  ['a text in the name', { name: 'op 1' }],
  ['a slug', { slug: 'shop-7' }],
  ['a platform', { platform: 'KUBERNETES' }],
  ['a platform and a text in the name', { platform: 'lambda', name: 'shop' }],
] as const;

describe.each(pages)(
  '%s of a list is read by an index, without a sort that waits for all',
  (_, page) => {
    test.each(filters)('projects by %s', async (_name, filter) => {
      const requested = { ...filter, page, per_page: 10 };
      const reads = await readsOf({ collection: 'projects' }, () =>
        catalog.bus.request(listProjects, requested),
      );
      expect(reads.length).toBeGreaterThan(0);
      for (const read of reads) expect(planOf(read)).toEqual({ byIndex: true, sorted: false });
    });

    test('the history of a project', async () => {
      const requested = { project_id: projectId, page, per_page: 10 };
      const reads = await readsOf({ collection: 'sboms', of: projectId }, () =>
        catalog.bus.request(listProjectHistory, requested),
      );
      expect(reads).toHaveLength(1);
      for (const read of reads) {
        expect(planOf(read)).toEqual({ byIndex: true, sorted: false });
        expect(read['docsExamined']).toBeLessThanOrEqual(page * 10);
      }
    });
  },
);

test('the services of a project are read by an index, in their order', async () => {
  const requested = { project_id: projectId };
  const reads = await readsOf({ collection: 'services', of: projectId }, () =>
    catalog.bus.request(listServices, requested),
  );
  expect(reads.map(planOf)).toEqual([{ byIndex: true, sorted: false }]);
});

describe('a list', () => {
  test.each(filters)(
    'of projects by %s has each of them once, newest first, ties by id',
    async (_name, filter) => {
      const listed: { id: string; created_at: string }[] = [];
      for (let page = 1; ; page++) {
        const { body } = await catalog.bus.request(listProjects, {
          ...filter,
          page,
          per_page: 200,
        });
        listed.push(...body.items);
        if (body.items.length === 0) {
          expect(listed).toHaveLength(body.total);
          break;
        }
      }
      const { name = '', slug, platform } = filter as Record<string, string | undefined>;
      const stored = await catalog.projects.find().toArray();
      const expected = stored
        .filter((one) => one.name_key.includes(name))
        .filter((one) => slug === undefined || one.slug === slug)
        .filter(
          (one) => platform === undefined || one.platform?.toLowerCase() === platform.toLowerCase(),
        )
        .sort(
          (a, b) => b.created_at.getTime() - a.created_at.getTime() || (a._id < b._id ? -1 : 1),
        );
      expect(listed.map(({ id }) => id)).toEqual(expected.map(({ _id }) => _id));
    },
  );

  test('of projects takes only the same platform for the same, in any case', async () => {
    const names = ['edge', 'Edge ', 'ed\u0000ge', 'édge', 'edge\n'];
    await catalog.projects.insertMany(
      names.map((platform, n) => ({ ...project(count + 1 + n), platform })),
    );
    const requested = { platform: 'EDGE', page: 1, per_page: 10 };
    const { body } = await catalog.bus.request(listProjects, requested);
    expect(body.items.map(({ platform }) => platform)).toEqual(['edge']);
    expect(body.total).toBe(1);
  });
});

function planOf(read: Document): { byIndex: boolean; sorted: boolean } {
  const plan = String(read['planSummary']);
  return { byIndex: !plan.includes('COLLSCAN'), sorted: read['hasSortStage'] === true };
}
