import { alertThresholds, type AlertThreshold } from '@bomtrail/messages';
import { sequence, startTestServers, type TestServers } from '@bomtrail/testkit';
import { MongoClient, type CommandStartedEvent, type Db, type Document } from 'mongodb';
import { v7 as newId } from 'uuid';
import {
  services,
  randomVulnerabilities,
  storeVulnerabilities,
} from '../../testing/open-vulnerabilities';
import { storeServices } from '../../testing/many-services';
import type {
  ServiceStateDocument,
  TrackedVulnerabilityDocument,
} from '../../tracking/store/documents';
import type { AlertPeriodQuery, VulnerabilityCursor } from '../ports';
import { createAlertPeriodStore } from './alert-period-store';
import { createDetailsStore } from '../../tracking/store/details-store';
import { createDeletionStore } from '../../deletion/store/deletion-store';
import { listIndexes } from '../../tracking/store/list-indexes';
import { countServiceStates } from '../../tracking/store/count-service-states';

let servers: TestServers;
let client: MongoClient;
let db: Db;
const seen: Document[] = [];
const vulnerabilities = randomVulnerabilities(120, sequence(11));

beforeAll(async () => {
  servers = await startTestServers();
  client = await new MongoClient(servers.mongoUri, { monitorCommands: true }).connect();
  db = client.db(`${servers.prefix}alertPeriods`);
  for (const [name, indexes] of Object.entries(listIndexes))
    await db.collection(name).createIndexes([...indexes]);
  await storeVulnerabilities(db, vulnerabilities);
  client.on('commandStarted', ({ command }: CommandStartedEvent) => void seen.push(command));
});
afterAll(async () => {
  await client?.close();
  await servers?.stop();
});

const database = () => ({ db, client, isUp: async () => true });
const store = () =>
  createAlertPeriodStore(database(), {
    deletions: createDeletionStore(database()),
    details: createDetailsStore(db),
  });

const noRisk = { kev: false, min_epss: null };

async function pages(
  query: Omit<AlertPeriodQuery, 'kev' | 'min_epss'>,
  limit: number,
): Promise<string[][]> {
  const found: string[][] = [];
  let after: VulnerabilityCursor | null = null;
  do {
    const page: { items: TrackedVulnerabilityDocument[]; next: VulnerabilityCursor | null } =
      await store().page({ ...query, ...noRisk }, { after, limit });
    found.push(page.items.map(({ _id }) => _id));
    after = page.next;
  } while (after);
  return found;
}

const ofThreshold: Record<AlertThreshold, string[]> = {
  critical: ['critical'],
  high: ['critical', 'high'],
  medium: ['critical', 'high', 'medium'],
  low: ['critical', 'high', 'medium', 'low', 'unknown'],
};

function naive(project_id: string, service_ids: string[], threshold: AlertThreshold): string[] {
  return vulnerabilities
    .map(({ vulnerability }) => vulnerability)
    .filter(
      (vulnerability) =>
        vulnerability.status === 'open' &&
        vulnerability.project_id === project_id &&
        service_ids.includes(vulnerability.service_id),
    )
    .filter(({ severity }) => ofThreshold[threshold].includes(severity ?? ''))
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
    .map(({ _id }) => _id);
}

function keyOf({ service_id, package_key, _id }: TrackedVulnerabilityDocument): string {
  return [service_id, package_key, _id].join('\n');
}

describe('The pages of what is open at or above a threshold', () => {
  const project_id = 'project-p1';
  const all = services.map(({ service_id }) => service_id);
  const requested = [['service-2'], all, ['service-3']];

  test.each(['not counted yet', 'counted', 'counted for more than they have'])(
    'are complete for these services of this project, without duplicates, if services are %s',
    async (state) => {
      if (state === 'counted') await countServiceStates(database());
      if (state === 'counted for more than they have') {
        const states = db.collection<ServiceStateDocument>('service_states');
        await states.updateMany({}, { $set: { 'counts.critical': 5000 } });
      }
      for (const threshold of alertThresholds)
        for (const service_ids of requested)
          for (const limit of [5, 1000]) {
            const query = { project_id, service_ids, threshold };
            const found = await pages(query, limit);
            expect([query, found.flat()]).toEqual([
              query,
              naive(project_id, service_ids, threshold),
            ]);
            expect(found.slice(0, -1).every((page) => page.length === limit)).toBe(true);
          }
    },
  );

  test('have what no severity is stored of with the lowest threshold', async () => {
    const [service] = await storeServices({ db }, newId(), {
      services: 1,
      vulnerabilities: ['a@1 GHSA-1'],
      status: 'open',
    });
    const table = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');
    const { project_id: own = '' } = (await table.findOne({ service_id: service ?? '' })) ?? {};
    await table.updateOne(
      { service_id: service ?? '' },
      { $unset: { severity: 1, found: 1, details_id: 1 } },
    );
    const query = { project_id: own, service_ids: [service ?? ''] };
    expect((await pages({ ...query, threshold: 'low' }, 5)).flat()).toHaveLength(1);
    expect((await pages({ ...query, threshold: 'medium' }, 5)).flat()).toEqual([]);
  });
});

test('A page reads its own vulnerabilities and those of one more service', async () => {
  const project_id = newId();
  const vulnerabilities = Array.from({ length: 20 }, (_one, n) => `p${n}@1 GHSA-${n}`);
  const given = { services: 30, vulnerabilities, status: 'open' as const };
  const service_ids = await storeServices({ db }, project_id, given);
  const query = { project_id, service_ids, threshold: 'high' as const };
  seen.length = 0;
  const found = await pages(query, 50);
  expect(found.flat()).toHaveLength(600);
  const walks = seen.filter((command) => command['hint'] && command['find']);
  expect(walks.length).toBeLessThanOrEqual(3 * found.length);
  let keys = 0;
  for (const walk of walks) {
    const { lsid: _session, $db: _db, txnNumber: _n, readConcern: _level, ...command } = walk;
    const verbosity = 'executionStats';
    const { executionStats } = await db.command({ explain: plain(command), verbosity });
    keys += executionStats.totalKeysExamined as number;
  }
  // Each page: 51 vulnerabilities, those of the service in which it ends, and where each service begins and ends.
  expect(keys).toBeLessThan(found.length * (51 + 20 + 20 + service_ids.length));
});

describe('The services of a project', () => {
  test('come in pages by id, without those to which nothing was written and those that were deleted', async () => {
    const project_id = newId();
    const given = { services: 7, vulnerabilities: ['a@1 GHSA-1'], status: 'open' as const };
    const ids = (await storeServices({ db }, project_id, given)).sort();
    const [gone = '', empty = '', ...there] = ids;
    const states = db.collection<ServiceStateDocument>('service_states');
    await states.updateOne({ _id: empty }, { $set: { version: 0 } });
    await createDeletionStore(database()).hideService({ service_id: gone, project_id });
    for (const limit of [1, 2, 5, 6]) {
      const found: string[] = [];
      for (let after: string | null = null; ;) {
        const page: { items: { _id: string }[]; next: string | null } = await store().services(
          project_id,
          { after, limit },
        );
        found.push(...page.items.map(({ _id }) => _id));
        if (page.next === null) break;
        after = page.next;
      }
      expect(found).toEqual(there);
    }
  });

  test('and their open vulnerabilities are empty once the project is deleted, before anything is purged', async () => {
    const project_id = newId();
    const given = { services: 2, vulnerabilities: ['a@1 GHSA-1'], status: 'open' as const };
    const service_ids = await storeServices({ db }, project_id, given);
    const query = { project_id, service_ids, threshold: 'low' as const, ...noRisk };
    const window = { after: null, limit: 10 };
    expect((await store().page(query, window)).items).toHaveLength(2);
    const projects = db.collection<{ _id: string; changes: number; deletion_state: string }>(
      'known_projects',
    );
    await projects.insertOne({ _id: project_id, changes: 0, deletion_state: 'hidden' });
    expect(await store().services(project_id, window)).toEqual({ items: [], next: null });
    expect(await store().page(query, window)).toEqual({ items: [], next: null });
  });
});

/** A command as it can be sent again. */
function plain(command: Document): Document {
  return Object.fromEntries(Object.entries(command).filter(([name]) => !name.startsWith('$')));
}
