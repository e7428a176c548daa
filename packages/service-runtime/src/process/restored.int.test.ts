import { eventually, serviceSettings, startTestServers, type TestServers } from '@bomtrail/testkit';
import { MongoClient } from 'mongodb';
import { startService } from './start-service';
import { commonSettings } from '../settings/common-settings';
import { restoreInProgress } from '@bomtrail/mongo';

let servers: TestServers;
let mongo: MongoClient;

beforeAll(async () => {
  servers = await startTestServers();
  mongo = await new MongoClient(servers.mongoUri).connect();
});
afterAll(async () => {
  await mongo?.close();
  await servers?.stop();
});

test('a service neither serves nor works on a database that is half restored, and starts once it is whole', async () => {
  const mark = mongo.db(`${servers.prefix}ingest`).collection(restoreInProgress);
  await mark.insertOne({ begun_at: new Date() });
  const seen: string[] = [];
  const compose = (): object => {
    seen.push('composed');
    return {};
  };
  const starting = startService(
    { name: 'ingest', settings: commonSettings, compose },
    commonSettings.parse({ ...serviceSettings(servers) }),
  );
  await eventually(async () => expect(await looks()).toBeGreaterThan(1), {
    what: 'the service has looked again',
  });
  expect(seen).toEqual([]);
  await mark.drop();
  const service = await starting;
  expect(seen).toEqual(['composed']);
  await service.stop();
});

/** How often anybody has read the mark. */
async function looks(): Promise<number> {
  const { totals } = await mongo.db('admin').command({ top: 1 });
  const all = totals as Record<string, { queries?: { count: number } }>;
  return all[`${servers.prefix}ingest.${restoreInProgress}`]?.queries?.count ?? 0;
}
