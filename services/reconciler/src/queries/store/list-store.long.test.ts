import { severities, vulnerabilitySorts, type Severity } from '@bomtrail/messages';
import { sequence, startTestServers, type Draw, type TestServers } from '@bomtrail/testkit';
import { MongoClient, type CommandStartedEvent, type Db, type Document } from 'mongodb';
import {
  services,
  naiveList,
  randomVulnerabilities,
  storeVulnerabilities,
} from '../../testing/open-vulnerabilities';
import type { DetailsDocument, SbomVersionDocument } from '../../tracking/store/documents';
import { createDeletionStore } from '../../deletion/store/deletion-store';
import { listIndexes } from '../../tracking/store/list-indexes';
import { serviceStateIndexes } from '../../tracking/store/service-state-store';
import type { CountedStatus } from '../../tracking/store/count-keys';
import type { ListFilter } from './list-filter';
import { listLimits, type ListLimits, type ListOrder, type Window } from './list-plan';
import { inTime } from './in-time';
import { createListStore } from './list-store';
import { countServiceStates } from '../../tracking/store/count-service-states';

/** `BOMTRAIL_TEST_LIST_PAGES=20000` for more. */
const requested = Number(process.env['BOMTRAIL_TEST_LIST_PAGES'] ?? 300);

let servers: TestServers;
let client: MongoClient;
let db: Db;
const seen: Document[] = [];
/** Of every service an SBOM with all of them, and one without the fixed ones. */
const stored = randomVulnerabilities(400, sequence(7)).map(({ vulnerability, details }) => {
  const presence = [{ from: 1, to: vulnerability.status === 'fixed' ? 1 : null }];
  return { details, vulnerability: { ...vulnerability, presence } };
});

beforeAll(async () => {
  servers = await startTestServers();
  client = await new MongoClient(servers.mongoUri, { monitorCommands: true }).connect();
  db = client.db(`${servers.prefix}lists`);
  for (const plan of [listIndexes, serviceStateIndexes])
    for (const [name, indexes] of Object.entries(plan))
      await db.collection(name).createIndexes([...indexes]);
  await storeVulnerabilities(db, stored);
  const sbomVersions = services.flatMap(({ service_id, project_id }) =>
    [1, 2].map((seq) => ({
      _id: `${service_id} ${seq}`,
      service_id,
      project_id,
      seq,
      digest: '',
      created_at: new Date(seq * 1000).toISOString(),
    })),
  );
  await db.collection<SbomVersionDocument>('sbom_versions').insertMany(sbomVersions);
  await countServiceStates(database());
  client.on('commandStarted', ({ command }: CommandStartedEvent) => void seen.push(command));
});
afterAll(async () => {
  await client?.close();
  await servers?.stop();
});

const database = () => ({ db, client, isUp: async () => true });
const lists = (options?: Partial<ListLimits>) =>
  createListStore(database(), createDeletionStore(database()), { ...listLimits, ...options });

const [service] = services as [(typeof services)[number]];
const scopes: Record<string, ListFilter> = {
  everything: {},
  'a project': { project_id: service.project_id },
  'a service': { service_id: service.service_id },
  'a service of its project': { project_id: service.project_id, service_id: service.service_id },
  'an id': { cve_id: 'cve-2026-3' },
  'an id in a project': { project_id: service.project_id, cve_id: 'GHSA-0' },
  'an id in a service': { service_id: service.service_id, cve_id: 'GHSA-0' },
  'two services': { service_ids: [service.service_id, 'service-3'] },
};
/** Filters of which each is served by other indexes. */
const narrow: Record<string, ListFilter> = {
  'a package': { package_name: 'beta' },
  'a package in a project': { package_name: 'beta', project_id: service.project_id },
  'exploited ones': { kev: true },
  'likely exploited ones': { min_epss: 0.3 },
  'what has a fix': { has_fix: true },
  'an ecosystem': { ecosystem: 'PyPI' },
  'direct dependencies': { is_direct: true },
  'what is in triage': { decision: ['in_triage'] },
  'what somebody looks into': { assignee: 'Ann', project_id: service.project_id },
  'what was detected lately': { detected_since: day(3) },
  'what is overdue': {
    overdue: {
      is: true,
      limits: [{ project_ids: [service.project_id], detected_before: { high: day(3) } }],
    },
  },
  'a text': { q: 'remote' },
};
const selection: (Severity[] | undefined)[] = [
  undefined,
  ['high'],
  ['none', 'critical', 'unknown'],
];
const states: CountedStatus[][] = [
  ['open'],
  ['open', 'fixed', 'accepted'],
  ['open'],
  ['fixed'],
  ['accepted', 'fixed'],
];
const orders: ListOrder[] = vulnerabilitySorts.flatMap((sort) =>
  (['asc', 'desc'] as const).map((order) => ({ sort, order })),
);

describe('a page of', () => {
  const filters = Object.entries(scopes).flatMap(([name, scope]) =>
    selection.map((severity): [string, ListFilter] => [
      `${name} ${severity?.join() ?? ''}`,
      { ...scope, severity },
    ]),
  );

  test.each(filters)(
    '%s is a stretch of the sorted list, in any status, order and size, by each plan',
    async (_, scope) => {
      const draw = sequence(filters.findIndex(([, other]) => other === scope) + 1);
      const first = draw(orders.length);
      for (let n = 0; n < requested / filters.length; n++) {
        const filter = { ...scope, statuses: states[draw(states.length)] as CountedStatus[] };
        const order = orders[(first + n) % orders.length] as ListOrder;
        const limit = 1 + draw(n % 3 === 0 ? 200 : 9);
        const whole = naiveList(stored, filter, order);
        const skip = draw(whole.length / limit + 1) * limit;
        for (const sortedInMemory of [50_000, 0]) {
          const page = await lists({ sortedInMemory }).page(filter, order, { skip, limit });
          expect([filter, order, skip, limit, page.items.map(({ _id }) => _id)]).toEqual([
            ...[filter, order, skip, limit],
            whole.slice(skip, skip + limit),
          ]);
          expect(page.total).toBe(whole.length);
        }
      }
    },
  );
});

function day(number: number): string {
  return new Date(number * 864e5).toISOString();
}

/** Values of each filter; a list is asked for with a random choice of them. */
const filterValues: { [Name in keyof ListFilter]-?: ListFilter[Name][] } = {
  project_id: [service.project_id, 'project-of-nobody'],
  service_id: [],
  service_ids: [
    ['service-1', 'service-2'],
    ['service-1', 'service-3', 'service-of-nobody'],
    ['service-of-nobody'],
  ],
  severity: [['high'], ['none', 'critical', 'unknown']],
  cve_id: ['cve-2026-3', 'GHSA-0', 'CVE-none'],
  package_name: ['ALPHA', 'beta', 'delta_x', 'delta'],
  purl: ['pkg:npm/alpha', 'pkg:npm/Beta@2', 'pkg:pypi/delta-x@1', 'pkg:gem/alpha', 'pkg:what/a'],
  ecosystem: ['npm', 'PyPI', 'Go'],
  has_fix: [true, false],
  is_direct: [true, false],
  kev: [true, false],
  min_epss: [0, 0.1, 0.5, 0.7],
  decision: [['in_triage'], ['none'], ['in_triage', 'none'], ['risk_accepted', 'none']],
  has_ticket: [true, false],
  assignee: ['Ann', 'Bob', 'ann'],
  detected_since: [day(2), day(4), day(9)],
  overdue: [true, false].flatMap((is) => [
    { is, limits: [] },
    { is, limits: [{ project_ids: ['project-p1'], detected_before: { high: day(3) } }] },
    {
      is,
      limits: [
        { project_ids: ['project-p1'], detected_before: { critical: day(5), high: day(2) } },
        {
          project_ids: ['project-p2', 'project-p3'],
          detected_before: { low: day(3), none: day(4) },
        },
      ],
    },
  ]),
  q: ['REMOTE', 'code remote', 'cve-2026-1', 'überlauf', '(parser)', 'alp', '.*', 'alpha remote'],
};

describe('a list with filters', () => {
  const names = Object.keys(filterValues) as (keyof ListFilter)[];
  const plans = [{}, { sortedInMemory: 0 }, { sortedInMemory: 0, shortWalk: 1 }];

  async function expectSame(filter: ListFilter, draw: Draw): Promise<void> {
    for (const options of plans) {
      const statuses = states[draw(states.length)] as CountedStatus[];
      const order = orders[draw(orders.length)] as ListOrder;
      const asked = { ...filter, statuses };
      const whole = naiveList(stored, asked, order);
      const limit = 1 + draw(draw(2) === 0 ? 200 : 9);
      const skip = draw(whole.length / limit + 1) * limit;
      const page = await lists(options).page(asked, order, { skip, limit });
      const found = [page.total, page.items.map(({ _id }) => _id)];
      expect([asked, order, skip, limit, ...found]).toEqual([
        ...[asked, order, skip, limit],
        ...[whole.length, whole.slice(skip, skip + limit)],
      ]);
      const part = { skip, limit, isCounted: false };
      const rows = await lists(options).pageWithVersions(asked, order, part);
      const ids = rows.items.map(({ vulnerability }) => vulnerability._id);
      expect([asked, order, skip, limit, rows.has_more, ids]).toEqual([
        ...[asked, order, skip, limit, skip + limit < whole.length],
        whole.slice(skip, skip + limit),
      ]);
      expect([null, whole.length]).toContain(rows.total);
      const { total, ...counts } = await lists(options).countBySeverity(asked);
      expect([asked, total]).toEqual([asked, whole.length]);
      const selected = stored.filter(({ vulnerability }) => whole.includes(vulnerability._id));
      for (const severity of severities)
        expect([asked, severity, counts[severity]]).toEqual([
          ...[asked, severity],
          selected.filter(({ details }) => details.severity === severity).length,
        ]);
    }
  }

  const each = names.flatMap((name) =>
    filterValues[name].map((value): [string, ListFilter] => [
      `${name} ${JSON.stringify(value)}`,
      { [name]: value },
    ]),
  );
  test.each(each)(
    'by %s has what a plain filter selects, and the summary counts it',
    async (_, filter) => {
      const draw = sequence(each.findIndex(([, one]) => one === filter) + 1);
      for (let n = 0; n < 4; n++) await expectSame(filter, draw);
    },
  );

  test('by any combination of filters, too', async () => {
    const draw = sequence(22);
    for (let n = 0; n < requested; n++) {
      const count = 1 + draw(4);
      const chosen = Array.from({ length: count }, () => names[draw(names.length)] as string);
      const filter = Object.fromEntries(
        chosen.flatMap((name) => {
          const values = filterValues[name as keyof ListFilter];
          return values.length > 0 ? [[name, values[draw(values.length)]]] : [];
        }),
      ) as ListFilter;
      await expectSame(filter, draw);
    }
  });

  const few = { has_fix: { has_fix: true }, is_direct: { is_direct: true }, q: { q: 'code' } };
  test.each(Object.entries(few))('by %s has a page without counting', async (_, filter) => {
    for (const order of orders) {
      seen.length = 0;
      const part = { skip: 0, limit: 3, isCounted: false };
      const asked = { ...filter, statuses: states[0] ?? [] };
      const page = await lists({ sortedInMemory: 0 }).pageWithVersions(asked, order, part);
      expect([order, page.total, page.has_more]).toEqual([order, null, true]);
      const read = seen.filter(({ aggregate }) => aggregate === 'tracked_vulnerabilities');
      expect(JSON.stringify(read)).not.toContain('"$group"');
    }
  });

  test('says what to narrow instead of counting in part when it takes too long', async () => {
    const some = db.collection('tracked_vulnerabilities');
    const slow = inTime(
      ({ maxTimeMS }) => some.find({ $where: 'sleep(5) || true' }, { maxTimeMS }).toArray(),
      20,
    );
    await expect(slow).rejects.toMatchObject({ code: 'service_unavailable' });
    await expect(slow).rejects.toThrow(/add project_id/);
  });
});

describe('the requests for a page of', () => {
  test.each(Object.entries({ ...scopes, ...narrow }))('%s use indexes', async (_name, scope) => {
    const window = { skip: 12, limit: 5 };
    for (const sortedInMemory of [50_000, 0])
      for (const order of orders) {
        const stages = await stagesOf({ sortedInMemory }, scope, { order, window });
        expect([order, stages.has('COLLSCAN')]).toEqual([order, false]);
      }
  });

  test('everything and a project walk an index in its order, and look up entries of an index alone', async () => {
    const along = { sortedInMemory: 0 };
    for (const scope of [{}, { project_id: service.project_id }])
      for (const order of orders) {
        const page = { order, window: { skip: 3, limit: 5 } };
        const stages = await stagesOf(along, scope, page);
        expect([scope, order, stages.has('SORT')]).toEqual([scope, order, false]);
      }
  });

  /** The stages of the plans for what is asked in an order. */
  async function stagesOf(
    options: { sortedInMemory: number },
    scope: ListFilter,
    { order, window }: { order: ListOrder; window: Window },
  ): Promise<Set<string>> {
    const store = lists(options);
    seen.length = 0;
    await store.page({ ...scope, statuses: ['open'] }, order, window);
    const names = ['tracked_vulnerabilities', 'vulnerability_details'];
    const asked = seen.filter((command) =>
      names.includes(String(command['find'] ?? command['aggregate'])),
    );
    expect(asked.length).toBeGreaterThan(0);
    const stages = new Set<string>();
    for (const question of asked) collectStages(await explain(question), stages);
    return stages;
  }
});

test('details without an open vulnerability cost the active list nothing', async () => {
  const details = db.collection<DetailsDocument>('vulnerability_details');
  const [some] = await details.find().limit(1).toArray();
  const closed = Array.from({ length: 300 }, (_one, n) => {
    return { ...(some as DetailsDocument), _id: `closed-${n}`, score_sort: 10, has_open: false };
  });
  await details.insertMany(closed);
  try {
    seen.length = 0;
    const order = { sort: 'cvss_score', order: 'desc' } as const;
    const walk = lists({ sortedInMemory: 0 });
    const page = await walk.page({ statuses: ['open'] }, order, { skip: 0, limit: 5 });
    expect(page.items).toHaveLength(5);
    const question = seen.find((command) => command['aggregate'] === 'vulnerability_details');
    const plan = JSON.stringify(await explain(question ?? {}, 'executionStats'));
    const examined = [...plan.matchAll(/"totalKeysExamined":(\d+)/g)].map(([, keys]) =>
      Number(keys),
    );
    expect(Math.max(...examined)).toBeLessThan(100);
  } finally {
    await details.deleteMany({ has_open: false });
  }
});

test('the SBOMs of a page are found by an index, with two queries for all of them', async () => {
  seen.length = 0;
  const filter = { statuses: states[1] as CountedStatus[] };
  const order = { sort: 'cvss_score', order: 'desc' } as const;
  const page = await lists().pageWithVersions(filter, order, { skip: 0, limit: 200 });
  for (const { vulnerability, introduced_in, fixed_in } of page.items) {
    const { service_id, status } = vulnerability;
    expect(introduced_in.sbom_id).toBe(`${service_id} 1`);
    expect(fixed_in?.sbom_id).toBe(status === 'fixed' ? `${service_id} 2` : undefined);
  }
  const asked = seen.filter((command) =>
    [command['find'], command['aggregate']].includes('sbom_versions'),
  );
  expect(asked).toHaveLength(2);
  for (const question of asked)
    expect(JSON.stringify(await explain(question, 'executionStats'))).not.toContain('COLLSCAN');
});

test('counts are those of what is stored', async () => {
  const open = stored.filter(({ vulnerability }) => vulnerability.status === 'open');
  const sum = await lists().countBySeverity({ statuses: ['open'] });
  expect(sum.total).toBe(open.length);
  for (const severity of severities)
    expect(sum[severity]).toBe(
      open.filter(({ vulnerability }) => vulnerability.severity === severity).length,
    );
});

function explain(question: Document, verbosity = 'queryPlanner'): Promise<Document> {
  const {
    lsid: _lsid,
    $clusterTime: _time,
    readConcern: _concern,
    $db: _db,
    ...requested
  } = question;
  return db.command({ explain: requested, verbosity });
}

function collectStages(plan: unknown, stages: Set<string>): void {
  if (typeof plan !== 'object' || plan === null) return;
  for (const [key, value] of Object.entries(plan)) {
    if (key === 'rejectedPlans') continue;
    if (key === 'stage' && typeof value === 'string') stages.add(value);
    else collectStages(value, stages);
  }
}
