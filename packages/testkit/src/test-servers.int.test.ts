import { MongoClient } from 'mongodb';
import { startTestServers } from './test-servers';

describe('the servers of a test file', () => {
  test('leave no database behind in the shared mongod', async () => {
    const shared = process.env['BOMTRAIL_TEST_MONGODB_URI'];
    expect(shared).toBeDefined();
    const servers = await startTestServers();
    expect(servers.mongoUri).toBe(shared);
    const client = new MongoClient(servers.mongoUri);
    try {
      await client.db(`${servers.prefix}catalog`).collection('c').insertOne({ a: 1 });
      await servers.stop();
      const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true });
      expect(databases.filter(({ name }) => name.startsWith(servers.prefix))).toEqual([]);
    } finally {
      await client.close();
    }
  });
});
