import { sequence, startTestServers, type TestServers } from '@bomtrail/testkit';
import { MongoClient, type Db } from 'mongodb';
import { createDeletionStore } from '../../deletion/store/deletion-store';
import { randomVulnerabilities, storeVulnerabilities } from '../../testing/open-vulnerabilities';
import { countServiceStates } from '../../tracking/store/count-service-states';
import { listIndexes } from '../../tracking/store/list-indexes';
import { createDetailsStore } from '../../tracking/store/details-store';
import { createListStore } from './list-store';
import { createServiceSnapshots } from './service-snapshots';

let servers: TestServers;
let client: MongoClient;
let db: Db;
let commands: string[] = [];
const database = () => ({ db, client, isUp: async () => true });

beforeAll(async () => {
  servers = await startTestServers();
  client = await new MongoClient(servers.mongoUri, { monitorCommands: true }).connect();
  db = client.db(`${servers.prefix}list_cost`);
  for (const [name, indexes] of Object.entries(listIndexes))
    await db.collection(name).createIndexes([...indexes]);
  await storeVulnerabilities(db, randomVulnerabilities(400, sequence(3)));
  await countServiceStates(database());
  client.on('commandStarted', ({ commandName, command }) => {
    commands.push(`${commandName} ${String(command[commandName])}`);
  });
});
afterAll(async () => {
  await client?.close();
  await servers?.stop();
});

test('the list of a service takes two commands once the sort values of its details are known', async () => {
  const lists = createListStore(database(), createDeletionStore(database()));
  const filter = { service_id: 'service-1', statuses: ['open' as const] };
  const read = () =>
    lists.page(filter, { sort: 'severity', order: 'desc' }, { skip: 0, limit: 50 });
  const first = await read();
  commands = [];
  expect(await read()).toEqual(first);
  expect(first.total).toBeGreaterThan(0);
  expect(commands).toEqual(['aggregate known_projects', 'find tracked_vulnerabilities']);
});

test('what an SBOM contains of its service takes one command, for concurrent callers too', async () => {
  const read = createServiceSnapshots(database(), createDetailsStore(db));
  const of = (serviceId: string) => read({ serviceId, sbomIds: ['sbom-1'] });
  const first = await of('service-1');
  commands = [];
  const [again, other] = await Promise.all([of('service-1'), of('service-2')]);
  expect(again).toEqual(first);
  expect(first.vulnerabilities?.length).toBeGreaterThan(0);
  expect(other?.vulnerabilities).not.toEqual(first.vulnerabilities);
  expect(commands.filter((one) => !one.includes('vulnerability_details'))).toEqual([
    'aggregate service_states',
  ]);
});
