import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { waitForScan } from '@bomtrail/api-client';
import { startTestServers, type TestServers } from '@bomtrail/testkit';
import { restoreDatabases } from './support/database-dump';
import { example } from './support/examples';
import { repositoryRoot } from './support/real-data';
import { look, type Seen } from './support/release-data';
import { startTestStack, type TestStack } from './support/test-stack';

const fixtures = path.join(repositoryRoot, 'e2e', 'fixtures');

describe.each(readdirSync(fixtures))('the data of %s', (release) => {
  let servers: TestServers;
  let running: TestStack;

  beforeAll(async () => {
    servers = await startTestServers({ ownMongod: true });
    await restoreDatabases(servers.mongoUri, path.join(fixtures, release, 'databases'));
    running = await startTestStack({
      env: {
        MONGODB_URI: servers.mongoUri,
        NATS_URL: servers.natsUrl,
        BOMTRAIL_ADVISORY_SOURCE: 'starter',
      },
    });
  }, 120_000);

  afterAll(async () => {
    await running?.stop();
    await servers?.stop();
  });

  test('open with everything that a client saw then, and go on', async () => {
    const { project_id, ...seen } = JSON.parse(
      readFileSync(path.join(fixtures, release, 'seen.json'), 'utf8'),
    ) as Seen & { project_id: string };
    const { client } = running;
    expect(await look(client, project_id)).toEqual(seen);
    expect(seen.open.length).toBeGreaterThan(0);

    const { id } = await client.upload({
      project_id,
      service_name: 'web-shop',
      version: '2.0.0',
      file: example('web-shop-1.0.0.cdx.json'),
    });
    await waitForScan(client, id, 30_000);
    const after = await look(client, project_id);
    expect(after.versions).toHaveLength(seen.versions.length + 1);
    expect(after.open.length).toBeGreaterThan(seen.open.length);
  }, 60_000);
});
