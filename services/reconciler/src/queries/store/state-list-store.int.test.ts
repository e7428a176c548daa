import { vulnerabilitySorts, type Severity, type VulnerabilityStatus } from '@bomtrail/messages';
import { sequence, startTestServers, type TestServers } from '@bomtrail/testkit';
import { MongoClient, type CommandStartedEvent, type Db, type Document } from 'mongodb';
import {
  services,
  naiveList,
  randomVulnerabilities,
  storeVulnerabilities,
} from '../../testing/open-vulnerabilities';
import type { SbomVersionDocument } from '../../tracking/store/documents';
import { createDeletionStore } from '../../deletion/store/deletion-store';
import { serviceStateIndexes } from '../../tracking/store/service-state-store';
import { listIndexes } from '../../tracking/store/list-indexes';
import type { ListFilter, ListOrder } from './list-plan';
import { createListStore } from './list-store';
import { countServiceStates } from '../../tracking/store/count-service-states';
import { createStateListStore, stateListIndexes } from './state-list-store';

/** More of them: `BOMTRAIL_TEST_LIST_PAGES=20000`. */
const requested = Number(process.env['BOMTRAIL_TEST_LIST_PAGES'] ?? 84);

let servers: TestServers;
let client: MongoClient;
let db: Db;
const seen: Document[] = [];
/** Of every service an SBOM with all of them, and one without the fixed ones. */
const vulnerabilities = randomVulnerabilities(400, sequence(11)).map((vulnerability) => ({
  ...vulnerability,
  presence: [{ from: 1, to: vulnerability.status === 'fixed' ? 1 : null }],
}));

beforeAll(async () => {
  servers = await startTestServers();
  client = await new MongoClient(servers.mongoUri, { monitorCommands: true }).connect();
  db = client.db(`${servers.prefix}states`);
  for (const plan of [listIndexes, stateListIndexes, serviceStateIndexes])
    for (const [name, indexes] of Object.entries(plan))
      await db.collection(name).createIndexes([...indexes]);
  await storeVulnerabilities(db, vulnerabilities);
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

function stateLists(options?: { sortedInMemory: number }) {
  const deletions = createDeletionStore(database());
  const lists = createListStore(database(), deletions);
  return createStateListStore(database(), { deletions, lists }, options);
}

const [service] = services as [(typeof services)[number]];
const scopes: Record<string, ListFilter> = {
  everything: {},
  'a project': { project_id: service.project_id },
  'a service': { service_id: service.service_id },
  'a service of its project': { project_id: service.project_id, service_id: service.service_id },
  'an id': { cve_id: 'cve-2026-3' },
  'an id in a service': { service_id: service.service_id, cve_id: 'GHSA-0' },
};
const states: VulnerabilityStatus[][] = [
  ['open', 'fixed', 'accepted'],
  ['fixed'],
  ['open'],
  ['accepted', 'fixed'],
];
const selection: (Severity[] | undefined)[] = [undefined, ['none', 'critical', 'unknown']];
const orders: ListOrder[] = vulnerabilitySorts.flatMap((sort) =>
  (['asc', 'desc'] as const).map((order) => ({ sort, order })),
);

/** The ids of all that must be listed, in order. */
function naive(
  filter: ListFilter & { statuses: VulnerabilityStatus[] },
  order: ListOrder,
): string[] {
  const inState = vulnerabilities.filter(({ status }) =>
    filter.statuses.some((one) => one === status),
  );
  return naiveList(
    inState.map((vulnerability) => ({ ...vulnerability, open: true })),
    filter,
    order,
  );
}

describe('a page of all states of', () => {
  const filters = Object.entries(scopes).flatMap(([name, scope]) =>
    selection.map((severity): [string, ListFilter] => [
      `${name} ${severity?.join() ?? ''}`,
      { ...scope, severity },
    ]),
  );

  test.each(filters)(
    '%s is a stretch of the sorted list, in any order and size',
    async (_, filter) => {
      const position = filters.findIndex(([, other]) => other === filter);
      const draw = sequence(position + 1);
      const pages = requested / filters.length;
      for (let n = 0; n < pages; n++) {
        const order = orders[(position * pages + n) % orders.length] as ListOrder;
        const statuses = states[draw(states.length)] as VulnerabilityStatus[];
        const limit = 1 + draw(n % 3 === 0 ? 200 : 9);
        const whole = naive({ ...filter, statuses }, order);
        const skip = draw(whole.length / limit + 1) * limit;
        const window = { skip, limit };
        const page = await stateLists().page({ ...filter, statuses }, order, window);
        expect([
          order,
          statuses,
          skip,
          limit,
          page.items.map(({ vulnerability }) => vulnerability._id),
        ]).toEqual([order, statuses, skip, limit, whole.slice(skip, skip + limit)]);
        expect([page.total, page.sortable]).toEqual([whole.length, true]);
        for (const { vulnerability, introduced_in, fixed_in } of page.items) {
          expect(introduced_in.sbom_id).toBe(`${vulnerability.service_id} 1`);
          expect(fixed_in?.sbom_id).toBe(
            vulnerability.status === 'fixed' ? `${vulnerability.service_id} 2` : undefined,
          );
        }
      }
    },
  );
});

describe('where more match than are sorted in memory', () => {
  const few = () => stateLists({ sortedInMemory: 10 });
  const window = { skip: 12, limit: 7 };

  test.each(Object.entries(scopes).slice(0, 4))(
    '%s are listed by score along an index, first page or deep one, and in no other order',
    async (_, scope) => {
      const filter = { ...scope, statuses: states[0] as VulnerabilityStatus[] };
      for (const order of orders) {
        seen.length = 0;
        const page = await few().page(filter, order, window);
        const whole = naive(filter, order);
        expect([page.sortable, page.total]).toEqual([order.sort === 'cvss_score', whole.length]);
        const expected = page.sortable ? whole.slice(12, 19) : [];
        expect(page.items.map(({ vulnerability }) => vulnerability._id)).toEqual(expected);
        if (!page.sortable) continue;
        const stages = await stagesOfWalk();
        expect([stages.has('IXSCAN'), stages.has('SORT'), stages.has('COLLSCAN')]).toEqual([
          true,
          false,
          false,
        ]);
        // A service is found in the order of its project, vulnerability by vulnerability.
        if (!scope.service_id) expect(stages.has('FETCH')).toBe(false);
      }
    },
  );
});

test('every other order of all, and of a project, is sorted from an index without reading the vulnerabilities', async () => {
  for (const order of orders.filter(({ sort }) => sort !== 'cvss_score')) {
    for (const scope of [{}, { project_id: service.project_id }]) {
      seen.length = 0;
      const filter = { ...scope, statuses: states[0] as VulnerabilityStatus[] };
      await stateLists().page(filter, order, { skip: 3, limit: 5 });
      const stages = await stagesOfWalk();
      expect([order, stages.has('FETCH'), stages.has('COLLSCAN')]).toEqual([order, false, false]);
    }
  }
});

test('the SBOMs of a page are found by an index, with two queries for all of them', async () => {
  seen.length = 0;
  const filter = { statuses: states[0] as VulnerabilityStatus[] };
  await stateLists().page(filter, { sort: 'cvss_score', order: 'desc' }, { skip: 0, limit: 200 });
  const findingsRequests = seen.filter((command) =>
    [command['find'], command['aggregate']].includes('sbom_versions'),
  );
  expect(findingsRequests).toHaveLength(2);
  for (const {
    lsid: _,
    $clusterTime: __,
    readConcern: ___,
    $db: ____,
    ...requested
  } of findingsRequests) {
    const plan = await db.command({ explain: requested, verbosity: 'executionStats' });
    expect(JSON.stringify(plan)).not.toContain('COLLSCAN');
  }
});

/** The stages of the plans of what was asked of the vulnerabilities in an order. */
async function stagesOfWalk(): Promise<Set<string>> {
  const findingsRequests = seen.filter(
    (command) => command['find'] === 'tracked_vulnerabilities' && command['hint'],
  );
  expect(findingsRequests.length).toBeGreaterThan(0);
  const stages = new Set<string>();
  for (const {
    lsid: _,
    $clusterTime: __,
    readConcern: ___,
    $db: ____,
    ...requested
  } of findingsRequests) {
    const plan = await db.command({ explain: requested, verbosity: 'queryPlanner' });
    collectStages(plan, stages);
  }
  return stages;
}

function collectStages(plan: unknown, stages: Set<string>): void {
  if (typeof plan !== 'object' || plan === null) return;
  for (const [key, value] of Object.entries(plan)) {
    if (key === 'rejectedPlans') continue;
    if (key === 'stage' && typeof value === 'string') stages.add(value);
    else collectStages(value, stages);
  }
}
