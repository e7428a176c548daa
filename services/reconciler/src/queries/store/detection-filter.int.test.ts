import { sequence, startTestServers, type TestServers } from '@bomtrail/testkit';
import { MongoClient, type CommandStartedEvent, type Db, type Document } from 'mongodb';
import { createDeletionStore } from '../../deletion/store/deletion-store';
import {
  randomVulnerabilities,
  services,
  storeVulnerabilities,
} from '../../testing/open-vulnerabilities';
import { countServiceStates } from '../../tracking/store/count-service-states';
import type { SbomVersionDocument } from '../../tracking/store/documents';
import { listIndexes } from '../../tracking/store/list-indexes';
import type { ListFilter } from './list-filter';
import { createListStore } from './list-store';

let servers: TestServers;
let client: MongoClient;
let db: Db;
const counts: Document[] = [];
const stored = randomVulnerabilities(400, sequence(7));
/** The newest of all: three were first seen when they were detected, one long before. */
const newest = stored
  .filter(({ vulnerability: { status, severity } }) => status === 'open' && severity !== 'high')
  .slice(0, 4)
  .map(({ vulnerability }, index) => {
    vulnerability.detected_at = new Date((10 + index) * 864e5);
    if (index > 0) vulnerability.first_seen_at = vulnerability.detected_at;
    return vulnerability;
  });
const database = () => ({ db, client, isUp: async () => true });

beforeAll(async () => {
  servers = await startTestServers();
  client = await new MongoClient(servers.mongoUri, { monitorCommands: true }).connect();
  db = client.db(`${servers.prefix}detected`);
  for (const [name, indexes] of Object.entries(listIndexes))
    await db.collection(name).createIndexes([...indexes]);
  await storeVulnerabilities(db, stored);
  const sbomVersions = services.map((service) => ({
    _id: service.service_id,
    ...service,
    seq: 0,
    digest: '',
    created_at: day(0),
  }));
  await db.collection<SbomVersionDocument>('sbom_versions').insertMany(sbomVersions);
  await countServiceStates(database());
  client.on('commandStarted', ({ command }: CommandStartedEvent) => {
    if (command['aggregate'] === 'tracked_vulnerabilities') counts.push(command);
  });
});
afterAll(async () => {
  await client?.close();
  await servers?.stop();
});

const day = (number: number): string => new Date(number * 864e5).toISOString();
const open = stored.filter(({ vulnerability }) => vulnerability.status === 'open');
const limits = [{ project_ids: ['project-p1'], detected_before: { high: day(3), low: day(2) } }];

/** The plan of a command that was sent to this database, as text. */
async function planOf(command: Record<string, unknown>): Promise<string> {
  const { lsid: _id, $clusterTime: _time, readConcern: _concern, $db, ...query } = command;
  expect($db).toBe(db.databaseName);
  return JSON.stringify(await db.command({ explain: query, verbosity: 'executionStats' }));
}

test.each<[string, ListFilter, (severity: string, detected: string) => boolean]>([
  [
    'was detected since a day',
    { detected_since: day(4) },
    (_severity, detected) => detected >= day(4),
  ],
  [
    'is overdue',
    { overdue: { is: true, limits } },
    (severity, detected) => ['high', 'low'].includes(severity) && detected < day(3),
  ],
])(
  'what %s is counted by the entries of an index in that time alone',
  async (_, filter, isRead) => {
    counts.length = 0;
    const lists = createListStore(database(), createDeletionStore(database()));
    await lists.countBySeverity({ ...filter, statuses: ['open'] });
    expect(counts.length).toBeGreaterThan(0);
    const plans = await Promise.all(counts.map(planOf));
    for (const plan of plans) expect(plan).toContain('"totalDocsExamined":0');
    const entries = open.filter(
      ({ vulnerability: { severity = '', detected_at } }) =>
        detected_at && isRead(severity, detected_at.toISOString()),
    );
    expect(entries.length).toBeGreaterThan(10);
    // Each severity costs two more seeks.
    const keys = plans.map((plan) => Number(/"totalKeysExamined":(\d+)/.exec(plan)?.[1]));
    expect(keys.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(entries.length + 12);
  },
);

test.each([
  ['desc', 0, 2],
  ['desc', 1, 2],
  ['desc', 1, 3],
  ['desc', 0, 100],
  ['asc', 0, 2],
] as const)(
  'the few that were detected since a day are listed by first sight (%s), %d skipped, %d listed',
  async (order, skip, limit) => {
    const lists = createListStore(database(), createDeletionStore(database()), {
      sortedInMemory: 0,
      shortWalk: 1,
    });
    const page = await lists.pageWithVersions(
      { statuses: ['open'], detected_since: day(10) },
      { sort: 'first_seen_at', order },
      { skip, limit, isCounted: false },
    );
    const inOrder = newest.map(({ _id }) => _id);
    if (order === 'desc') inOrder.reverse();
    expect(page.total).toBe(4);
    expect(page.items.map(({ vulnerability }) => vulnerability._id)).toEqual(
      inOrder.slice(skip, skip + limit),
    );
  },
);

test.each<ListFilter>([
  { detected_since: day(10), assignee: 'nobody' },
  { assignee: 'nobody' },
  { has_ticket: true, assignee: 'nobody' },
  { decision: ['in_triage'], assignee: 'nobody' },
])('the few that %j selects are not looked for among all others', async (filter) => {
  const lists = createListStore(database(), createDeletionStore(database()), {
    sortedInMemory: 0,
    shortWalk: 10_000,
  });
  const page = await lists.pageWithVersions(
    { ...filter, statuses: ['open'] },
    { sort: 'risk', order: 'desc' },
    { skip: 0, limit: 75, isCounted: false },
  );
  // A walk would know no total.
  expect(page.total).toBe(0);
});
