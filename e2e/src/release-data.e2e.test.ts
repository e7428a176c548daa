import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { waitForScan } from '@bomtrail/api-client';
import { builtServices, SERVICE_NAMES, type ServiceCommand } from '@bomtrail/embedded';
import { startTestServers, type TestServers } from '@bomtrail/testkit';
import { MongoClient } from 'mongodb';
import { runCommand } from './support/command';
import { restoreDatabases } from './support/database-dump';
import { example } from './support/examples';
import { repositoryRoot } from './support/real-data';
import { readProject, type Seen } from './support/release-data';
import { startTestStack, type TestStack } from './support/test-stack';

const fixtures = path.join(repositoryRoot, 'e2e', 'fixtures');

/** Two processes of each service; the second gateway listens where there is room. */
function twoOfEach(): ServiceCommand[] {
  const first = builtServices(repositoryRoot);
  const second = first.map(({ name, command, args }) => ({
    name: `${name}-2`,
    command: 'env',
    args: ['HTTP_PORT=0', 'GRPC_PORT=0', command, ...args],
  }));
  return [...first, ...second];
}

/** How often the indexes of each service were looked after, one process after the other. */
async function migrations(mongoUri: string): Promise<Record<string, number>> {
  const mongo = await new MongoClient(mongoUri).connect();
  try {
    const each = SERVICE_NAMES.map(async (name) => {
      const leases = mongo.db(`bomtrail_${name}`).collection<Lease>('leases');
      return [name, (await leases.findOne({ _id: 'create-indexes' }))?.token ?? 0] as const;
    });
    return Object.fromEntries(await Promise.all(each));
  } finally {
    await mongo.close();
  }
}

interface Lease {
  _id: string;
  /** How often it was taken. */
  token: number;
}

describe.each(readdirSync(fixtures))('the data of %s', (release) => {
  let servers: TestServers;
  let running: TestStack;

  beforeAll(async () => {
    servers = await startTestServers({ ownMongod: true });
    await restoreDatabases(servers.mongoUri, path.join(fixtures, release, 'databases'));
    running = await startTestStack({
      services: twoOfEach(),
      env: {
        MONGODB_URI: servers.mongoUri,
        NATS_URL: servers.natsUrl,
        BOMTRAIL_ADVISORY_SOURCE: 'starter',
      },
    });
  });

  afterAll(async () => {
    await running?.stop();
    await servers?.stop();
  });

  test('opens with everything that a client saw then, also where two processes of each service start at once, and goes on', async () => {
    const { project_id, ...seen } = JSON.parse(
      readFileSync(path.join(fixtures, release, 'seen.json'), 'utf8'),
    ) as Seen & { project_id: string };
    const { client } = running;
    expect(await readProject(client, project_id)).toEqual(seen);
    expect(seen.open.length).toBeGreaterThan(0);

    const { id } = await client.upload({
      project_id,
      service_name: 'web-shop',
      version: '2.0.0',
      file: example('web-shop-1.0.0.cdx.json'),
    });
    await waitForScan(client, id, 30_000);
    const after = await readProject(client, project_id);
    expect(after.versions).toHaveLength(seen.versions.length + 1);
    expect(after.open.length).toBeGreaterThan(seen.open.length);

    const twice = Object.fromEntries(SERVICE_NAMES.map((name) => [name, 2]));
    expect(await migrations(servers.mongoUri)).toEqual(twice);
    const verified = await runCommand(running.dataDir, ['reconcile', '--verify']);
    expect(verified).toMatchObject({ code: 0, stderr: '' });
  });
});
