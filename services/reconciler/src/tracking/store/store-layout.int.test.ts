import { startTestServers, type TestServers } from '@bomtrail/testkit';
import { MongoClient, type Db } from 'mongodb';
import { checkStoreLayout } from './store-layout';

let servers: TestServers;
let client: MongoClient;

beforeAll(async () => {
  servers = await startTestServers();
  client = await new MongoClient(servers.mongoUri).connect();
});
afterAll(async () => {
  await client?.close();
  await servers?.stop();
});

const database = (name: string): Db => client.db(`${servers.prefix}${name}`);
const states = (db: Db) => db.collection<{ _id: string }>('service_states');

describe('The layout of a database', () => {
  test('is recorded in an empty one, which can be opened again with data', async () => {
    const db = database('empty');
    await checkStoreLayout(db);
    await states(db).insertOne({ _id: 'service' });
    await expect(checkStoreLayout(db)).resolves.toBeUndefined();
  });

  test('is refused if it is an older one, with what to do', async () => {
    const db = database('older');
    await states(db).insertOne({ _id: 'service' });
    await expect(checkStoreLayout(db)).rejects.toThrow(/Start with empty databases and upload/);
    await db.collection('store_layout').insertOne({ version: 1 });
    await expect(checkStoreLayout(db)).rejects.toThrow(/another layout/);
  });
});
