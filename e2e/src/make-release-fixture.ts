import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { waitForScan } from '@bomtrail/api-client';
import { startTestServers } from '@bomtrail/testkit';
import { dumpDatabases } from './support/database-dump';
import { example } from './support/examples';
import { repositoryRoot } from './support/real-data';
import { readProject, releaseFolder } from './support/release-data';
import { startTestStack } from './support/test-stack';

/**
 * Makes the data that this release is remembered by: a project, two services, four SBOMs, one
 * acceptance, as a dump of the databases, and beside it what a client sees of them. Run once a
 * release, never again for an old one.
 */
async function main(): Promise<void> {
  const servers = await startTestServers({ ownMongod: true });
  const env = {
    MONGODB_URI: servers.mongoUri,
    NATS_URL: servers.natsUrl,
    BOMTRAIL_ADVISORY_SOURCE: 'starter',
  };
  const { client, stop } = await startTestStack({ env });
  const project = await client.createProject({ name: 'Release data' });
  for (const [service_name, version, file] of [
    ['web-shop', '1.0.0', 'web-shop-1.0.0.cdx.json'],
    ['web-shop', '1.1.0', 'web-shop-1.1.0.cdx.json'],
    ['report-service', '1.0.0', 'report-service-1.0.0.spdx.json'],
    ['report-service', '1.1.0', 'report-service-1.1.0.spdx.json'],
  ] as const) {
    const { id } = await client.upload({
      project_id: project.id,
      service_name,
      version,
      file: example(file),
    });
    await waitForScan(client, id, 30_000);
  }
  const [row] = await client.allActive({ project_id: project.id });
  if (!row) throw new Error('Nothing is open: there is nothing to accept.');
  await client.accept({
    project_id: project.id,
    vulnerability_id: row.id,
    reason: 'Not reachable from outside.',
  });
  const seen = await readProject(client, project.id);
  await stop();
  const manifest = readFileSync(path.join(repositoryRoot, 'package.json'), 'utf8');
  const folder = releaseFolder((JSON.parse(manifest) as { version: string }).version);
  await dumpDatabases(servers.mongoUri, path.join(folder, 'databases'));
  writeFileSync(
    path.join(folder, 'seen.json'),
    `${JSON.stringify({ project_id: project.id, ...seen }, null, 2)}\n`,
  );
  await servers.stop();
  console.log(`${folder}: ${seen.versions.length} SBOMs, ${seen.open.length} open`);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
