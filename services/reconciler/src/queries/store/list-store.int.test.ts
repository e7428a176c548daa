import { severities, vulnerabilitySorts, type Severity } from '@bomtrail/messages';
import { sequence, startTestServers, type TestServers } from '@bomtrail/testkit';
import { MongoClient, type CommandStartedEvent, type Db, type Document } from 'mongodb';
import {
  services,
  naiveList,
  randomVulnerabilities,
  storeVulnerabilities,
} from '../../testing/open-vulnerabilities';
import type { TrackedVulnerabilityDocument } from '../../tracking/store/documents';
import { createDeletionStore } from '../../deletion/store/deletion-store';
import { listIndexes } from '../../tracking/store/list-indexes';
import type { ListFilter, ListOrder } from './list-plan';
import { createListStore } from './list-store';
import { countServiceStates } from '../../tracking/store/count-service-states';

/** More of them: `BOMTRAIL_TEST_LIST_PAGES=20000`. */
const requested = Number(process.env['BOMTRAIL_TEST_LIST_PAGES'] ?? 300);

let servers: TestServers;
let client: MongoClient;
let db: Db;
const seen: Document[] = [];
const vulnerabilities = randomVulnerabilities(400, sequence(7));

beforeAll(async () => {
  servers = await startTestServers();
  client = await new MongoClient(servers.mongoUri, { monitorCommands: true }).connect();
  db = client.db(`${servers.prefix}lists`);
  for (const [name, indexes] of Object.entries(listIndexes))
    await db.collection(name).createIndexes([...indexes]);
  await storeVulnerabilities(db, vulnerabilities);
  await countServiceStates(database());
  client.on('commandStarted', ({ command }: CommandStartedEvent) => void seen.push(command));
});
afterAll(async () => {
  await client?.close();
  await servers?.stop();
});

const database = () => ({ db, client, isUp: async () => true });
const lists = (options?: { sortedInMemory: number }) =>
  createListStore(database(), createDeletionStore(database()), options);

const [service] = services as [(typeof services)[number]];
const scopes: Record<string, ListFilter> = {
  everything: {},
  'a project': { project_id: service.project_id },
  'a service': { service_id: service.service_id },
  'a service of its project': { project_id: service.project_id, service_id: service.service_id },
  'an id': { cve_id: 'cve-2026-3' },
  'an id in a project': { project_id: service.project_id, cve_id: 'GHSA-0' },
  'an id in a service': { service_id: service.service_id, cve_id: 'GHSA-0' },
};
const selection: (Severity[] | undefined)[] = [
  undefined,
  ['high'],
  ['none', 'critical', 'unknown'],
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
    '%s is a stretch of the sorted list, in any order and size',
    async (_, filter) => {
      const draw = sequence(filters.findIndex(([, other]) => other === filter) + 1);
      for (let n = 0; n < Math.max(orders.length, requested / filters.length); n++) {
        const order = orders[n % orders.length] as ListOrder;
        const limit = 1 + draw(n % 3 === 0 ? 200 : 9);
        const whole = naiveList(vulnerabilities, filter, order);
        const skip = draw(whole.length / limit + 1) * limit;
        const inMemory = n % 2 === 0 ? 50_000 : 0;
        const page = await lists({ sortedInMemory: inMemory }).page(filter, order, { skip, limit });
        expect([order, skip, limit, page.items.map(({ _id }) => _id)]).toEqual([
          order,
          skip,
          limit,
          whole.slice(skip, skip + limit),
        ]);
        expect(page.total).toBe(whole.length);
      }
    },
  );
});

describe('the requests for a page of', () => {
  const inMemory = [
    'a service',
    'a service of its project',
    'an id',
    'an id in a project',
    'an id in a service',
  ];

  test.each(Object.entries(scopes))(
    '%s are answered from an index in its order',
    async (name, scope) => {
      const stages = await stagesOf(lists(), scope);
      expect(stages.has('IXSCAN')).toBe(true);
      expect(stages.has('COLLSCAN')).toBe(false);
      // One service and one id may be sorted in memory, from the index alone.
      if (!inMemory.includes(name)) expect(stages.has('SORT')).toBe(false);
      if (name !== 'an id in a service') expect(stages.has('FETCH')).toBe(false);
    },
  );

  test('a service with more vulnerabilities than are sorted in memory are answered from the order of its project', async () => {
    const stages = await stagesOf(lists({ sortedInMemory: 10 }), {
      service_id: service.service_id,
    });
    expect([stages.has('SORT'), stages.has('COLLSCAN')]).toEqual([false, false]);
  });

  /** The stages of the plans for all that is asked of the vulnerabilities, for the first page and a deep one. */
  async function stagesOf(
    store: ReturnType<typeof lists>,
    scope: ListFilter,
  ): Promise<Set<string>> {
    seen.length = 0;
    for (const order of orders)
      for (const severity of selection)
        for (const window of [
          { skip: 0, limit: 5 },
          { skip: 12, limit: 5 },
        ])
          await store.page({ ...scope, severity }, order, window);
    const findingsRequests = seen.filter(
      (command) =>
        (command['find'] ?? command['aggregate']) === 'tracked_vulnerabilities' && command['hint'],
    );
    expect(findingsRequests.length).toBeGreaterThan(orders.length);
    const stages = new Set<string>();
    for (const question of findingsRequests) {
      const plan = await explain(question, 'queryPlanner');
      const found = new Set<string>();
      collectStages(plan, found);
      // A first page is read with its vulnerabilities: how many, the next test says.
      if (question['projection']?.snapshot) found.delete('FETCH');
      for (const stage of found) stages.add(stage);
    }
    return stages;
  }
});

test('a first page reads its own documents along the index, and few others', async () => {
  const limit = 5;
  for (const scope of [{}, { project_id: service.project_id }]) {
    for (const order of orders) {
      seen.length = 0;
      const { items } = await lists().page(scope, order, { skip: 0, limit });
      expect(items).toHaveLength(limit);
      const findingsRequests = seen.filter(
        (command) => command['find'] === 'tracked_vulnerabilities',
      );
      let examined = 0;
      for (const question of findingsRequests) {
        expect(question['hint']).toBeDefined();
        const plan = await explain(question, 'executionStats');
        examined += plan['executionStats'].totalDocsExamined as number;
      }
      // One more tells whether vulnerabilities of the last value go on behind the page; then these are read by id.
      expect(examined).toBeLessThanOrEqual(order.order === 'desc' ? limit : 2 * limit + 1);
    }
  }
});

test('a deep page reads its own documents only', async () => {
  const skip = 150;
  for (const order of orders) {
    seen.length = 0;
    await lists().page({}, order, { skip, limit: 5 });
    const read = seen.find(
      (command) => command['find'] === 'tracked_vulnerabilities' && !command['hint'],
    );
    expect(read?.['filter']._id.$in).toHaveLength(5);
  }
});

test('counting is idempotent, and corrects counts that are wrong or of an older version', async () => {
  const open = vulnerabilities.filter(
    (vulnerability: TrackedVulnerabilityDocument) => vulnerability.open,
  );
  const sum = await lists().countBySeverity({});
  expect(sum.total).toBe(open.length);
  for (const severity of severities)
    expect(sum[severity]).toBe(
      open.filter((vulnerability) => vulnerability.severity === severity).length,
    );
  expect(await countServiceStates(database())).toBe(0);
  const states = db.collection<{ _id: string }>('service_states');
  const before = await states.findOne({ _id: service.service_id });
  const wrong = { $inc: { version: 1, 'open_counts.high': 5 } };
  await states.updateOne({ _id: service.service_id }, wrong);
  await db.collection<{ _id: number }>('open_totals').updateOne({}, { $inc: { low: 3 } });
  expect(await countServiceStates(database())).toBe(2);
  expect(await lists().countBySeverity({})).toEqual(sum);
  expect(await states.findOne({ _id: service.service_id })).toMatchObject({
    open_counts: (before as unknown as { open_counts: object }).open_counts,
  });
});

function explain(question: Document, verbosity: string): Promise<Document> {
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
