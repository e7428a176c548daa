import { groupings, type Grouping, type VulnerabilityGroup } from '@bomtrail/messages';
import { sequence, startTestServers, type TestServers } from '@bomtrail/testkit';
import { MongoClient, type Db } from 'mongodb';
import {
  naiveList,
  randomVulnerabilities,
  storeVulnerabilities,
  type StoredPair,
} from '../../testing/open-vulnerabilities';
import { createDeletionStore } from '../../deletion/store/deletion-store';
import { countServiceStates } from '../../tracking/store/count-service-states';
import type { CountedStatus } from '../../tracking/store/count-keys';
import { listIndexes } from '../../tracking/store/list-indexes';
import { serviceStateIndexes } from '../../tracking/store/service-state-store';
import { figuresOf } from '../domain/group-vulnerabilities';
import { createGroupStore } from './group-store';
import type { ListFilter, StateFilter } from './list-filter';

let servers: TestServers;
let client: MongoClient;
let db: Db;
const stored = randomVulnerabilities(500, sequence(11));

beforeAll(async () => {
  servers = await startTestServers();
  client = await new MongoClient(servers.mongoUri).connect();
  db = client.db(`${servers.prefix}groups`);
  for (const plan of [listIndexes, serviceStateIndexes])
    for (const [name, indexes] of Object.entries(plan))
      await db.collection(name).createIndexes([...indexes]);
  await storeVulnerabilities(db, stored);
  await countServiceStates(database());
});
afterAll(async () => {
  await client?.close();
  await servers?.stop();
});

const database = () => ({ db, client, isUp: async () => true });
const groups = () => createGroupStore(database(), createDeletionStore(database()));

const keys: Record<Grouping, (pair: StoredPair) => string> = {
  vulnerability: ({ details }) => details.cve_id,
  package: ({ details }) => `${details.package_name} ${details.ecosystem}`,
  service: ({ vulnerability }) => vulnerability.service_id,
  project: ({ vulnerability }) => vulnerability.project_id,
};

function keyOf(by: Grouping, group: VulnerabilityGroup): string {
  if (by === 'package') return `${group.package_name} ${group.ecosystem}`;
  const { cve_id, service_id, project_id } = group;
  return { vulnerability: cve_id, service: service_id, project: project_id }[by] ?? '';
}

/** What a plain grouping of the list has. */
function naiveGroups(filter: StateFilter, by: Grouping): Map<string, object> {
  const listed = new Set(naiveList(stored, filter, { sort: 'cve_id', order: 'asc' }));
  const members = new Map<string, StoredPair[]>();
  for (const pair of stored.filter(({ vulnerability }) => listed.has(vulnerability._id))) {
    const key = keys[by](pair);
    members.set(key, [...(members.get(key) ?? []), pair]);
  }
  return new Map(
    [...members].map(([key, pairs]) => [
      key,
      figuresOf(
        pairs.map(({ details: { severity, risk, has_fix, kev_sort } }) => {
          return { severity, count: 1, risk, has_fix, isExploited: kev_sort !== null };
        }),
      ),
    ]),
  );
}

const overdueLimits = [
  {
    project_ids: ['project-p1', 'project-p2'],
    detected_before: { high: new Date(3 * 864e5).toISOString() },
  },
];
const filters: ListFilter[] = [
  {},
  { project_id: 'project-p1' },
  { service_id: 'service-1' },
  { service_ids: ['service-1', 'service-3', 'service-of-nobody'] },
  { severity: ['critical', 'unknown'] },
  { detected_since: new Date(2 * 864e5).toISOString() },
  { overdue: { is: true, limits: overdueLimits } },
  { overdue: { is: false, limits: overdueLimits }, kev: true },
  { is_direct: true },
  { decision: ['in_triage', 'none'] },
  { has_ticket: true },
  { is_direct: false, severity: ['high'], project_id: 'project-p2' },
  { has_fix: true },
  { has_fix: false },
  { kev: false, project_id: 'project-p1' },
  { kev: true, service_id: 'service-2' },
  { min_epss: 0.1 },
  { q: 'remote', ecosystem: 'npm' },
  { purl: 'pkg:npm/alpha@1' },
  { package_name: 'nothing-has-this' },
  { project_id: 'project-of-nobody' },
];
const states: CountedStatus[][] = [['open'], ['open', 'fixed', 'accepted'], ['fixed']];

describe.each(groupings)('groups by %s', (by) => {
  test.each(filters)(
    'of %j are those of a plain grouping, in pages of any size',
    async (filter) => {
      for (const statuses of states) {
        const asked = { ...filter, statuses };
        const expected = naiveGroups(asked, by);
        const window = { skip: 0, limit: 200 };
        const whole = await groups().group({ filter: asked, group_by: by, window });
        const figures = whole.items.map((group) => {
          const { counts, total, kev, fixable, highest_risk } = group;
          return [keyOf(by, group), { counts, total, kev, fixable, highest_risk }] as const;
        });
        expect([asked, new Map(figures), whole.total]).toEqual([asked, expected, expected.size]);
        const limit = Math.max(1, Math.ceil(whole.total / 3));
        const pages: VulnerabilityGroup[] = [];
        for (let skip = 0; skip < whole.total; skip += limit) {
          const part = { filter: asked, group_by: by, window: { skip, limit } };
          pages.push(...(await groups().group(part)).items);
        }
        expect(pages).toEqual(whole.items);
      }
    },
  );
});

test('vulnerabilities and packages come by risk, services and projects by what is most severe', async () => {
  const window = { skip: 0, limit: 200 };
  const filter = { statuses: ['open' as const] };
  for (const group_by of ['vulnerability', 'package'] as const) {
    const { items } = await groups().group({ filter, group_by, window });
    const ranks = items.map(({ highest_risk, total }) => (highest_risk ?? -1) * 1e6 + total);
    expect(ranks).toEqual([...ranks].sort((a, b) => b - a));
  }
  const { items } = await groups().group({ filter, group_by: 'service', window });
  const critical = items.map(({ counts }) => counts.critical);
  expect(critical).toEqual([...critical].sort((a, b) => b - a));
  expect(items.every(({ project_id }) => project_id?.startsWith('project-p'))).toBe(true);
});
