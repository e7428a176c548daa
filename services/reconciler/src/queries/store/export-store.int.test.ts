import type { ExportCursor } from '@bomtrail/messages';
import { sequence, startTestServers, type TestServers } from '@bomtrail/testkit';
import { MongoClient, type Db } from 'mongodb';
import {
  naiveList,
  randomVulnerabilities,
  storeVulnerabilities,
} from '../../testing/open-vulnerabilities';
import { createDeletionStore } from '../../deletion/store/deletion-store';
import { listIndexes } from '../../tracking/store/list-indexes';
import type { TrackedVulnerabilityDocument } from '../../tracking/store/documents';
import { createExportStore } from './export-store';
import type { ListFilter, StateFilter } from './list-filter';
import { createScopeCounts } from './scope-counts';

let servers: TestServers;
let client: MongoClient;
let db: Db;
const stored = randomVulnerabilities(300, sequence(5));

beforeAll(async () => {
  servers = await startTestServers();
  client = await new MongoClient(servers.mongoUri).connect();
  db = client.db(`${servers.prefix}exports`);
  for (const [name, indexes] of Object.entries(listIndexes))
    await db.collection(name).createIndexes([...indexes]);
  // Stored in another order than by id, in which an index has vulnerabilities of the same package.
  await storeVulnerabilities(db, [...stored].reverse());
});
afterAll(async () => {
  await client?.close();
  await servers?.stop();
});

const database = () => ({ db, client, isUp: async () => true });
const exportStore = () => createExportStore(database(), createDeletionStore(database()));

async function exported(
  filter: StateFilter,
  limit: number,
  between: () => Promise<void> = async () => {},
): Promise<string[]> {
  const ids: string[] = [];
  let after: ExportCursor | null = null;
  do {
    const { found, next } = await exportStore().part(filter, { after, limit });
    expect(found.length).toBeLessThanOrEqual(limit);
    ids.push(...found.map(({ _id }) => _id));
    after = next;
    await between();
  } while (after !== null);
  return ids;
}

const filters: ListFilter[] = [
  {},
  { project_id: 'project-p1' },
  { service_id: 'service-2' },
  { service_ids: ['service-1', 'service-4', 'service-of-nobody'] },
  { project_id: 'project-p1', service_id: 'service-4' },
  { severity: ['high', 'none'] },
  { kev: true },
  { has_fix: true, is_direct: true },
  { decision: ['none'], has_ticket: false },
  { decision: ['in_triage'], assignee: 'Ann' },
  { package_name: 'alpha', project_id: 'project-p2' },
  { cve_id: 'CVE-none' },
  { q: 'remote' },
  { detected_since: '1970-01-03T00:00:00.000Z' },
  {
    overdue: {
      is: true,
      limits: [
        { project_ids: ['project-p1'], detected_before: { high: '1970-01-04T00:00:00.000Z' } },
      ],
    },
  },
];

test.each(filters)(
  'the parts of %j are together its list, each vulnerability once',
  async (filter) => {
    for (const limit of [1, 7, 1000]) {
      const asked: StateFilter = { ...filter, statuses: ['open', 'accepted'] };
      const ids = await exported(asked, limit);
      const listed = naiveList(stored, asked, { sort: 'cve_id', order: 'asc' });
      expect([limit, [...ids].sort()]).toEqual([limit, [...listed].sort()]);
    }
  },
);

test('what is added and removed meanwhile changes nothing else', async () => {
  const filter: StateFilter = { statuses: ['open'] };
  const listed = naiveList(stored, filter, { sort: 'cve_id', order: 'asc' });
  const all = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');
  const [template] = stored.map(({ vulnerability }) => vulnerability);
  let number = 0;
  const added: string[] = [];
  const ids = await exported(filter, 10, async () => {
    number += 1;
    const service_id = `service-${1 + (number % 4)}`;
    const _id = `added-${number}`;
    added.push(_id);
    await all.insertOne({ ...(template as TrackedVulnerabilityDocument), _id, service_id });
  });
  await all.deleteMany({ _id: { $in: added } });
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !added.includes(id)).sort()).toEqual([...listed].sort());
});

test('an SBOM has the vulnerabilities that are present in it, by severity', async () => {
  const one = (service_id: string, [from, to]: [number, number | null], severity: string) => ({
    _id: `counted-${service_id}-${from}-${to}-${severity}`,
    service_id,
    presence: [{ from, to }],
    severity,
  });
  const documents = [
    one('counted-a', [1, null], 'high'),
    one('counted-a', [1, 1], 'low'),
    one('counted-a', [2, 2], 'critical'),
    one('counted-b', [1, null], 'critical'),
  ];
  await db.collection<{ _id: string }>('tracked_vulnerabilities').insertMany(documents);
  const place = (service_id: string, seq: number) => ({
    sbom_id: `${service_id}${seq}`,
    service_id,
    seq,
  });
  const nothing = { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 0 };
  const places = [
    place('counted-a', 1),
    place('counted-a', 2),
    place('counted-a', 3),
    place('counted-b', 1),
  ];
  expect(await createScopeCounts(database()).ofSboms(places)).toEqual([
    { sbom_id: 'counted-a1', counts: { ...nothing, high: 1, low: 1 } },
    { sbom_id: 'counted-a2', counts: { ...nothing, high: 1, critical: 1 } },
    { sbom_id: 'counted-a3', counts: { ...nothing, high: 1 } },
    { sbom_id: 'counted-b1', counts: { ...nothing, critical: 1 } },
  ]);
});
