import { readFileSync } from 'node:fs';
import path from 'node:path';
import { waitForScan } from '@bomtrail/api-client';
import { eventually } from '@bomtrail/testkit';
import { MongoClient, type Document, type Filter } from 'mongodb';
import { npmDocument } from './support/examples';
import { startTestStack, type TestStack } from './support/test-stack';

/** What may be left of what was uploaded and deleted, and why. All else is counted. */
const mayStay: Readonly<Record<string, string>> = {
  'gateway.audit_entries': 'who did what stays, also of what is deleted',
  'gateway.rate_limits': 'counts calls, and goes by itself',
  'notifier.send_counts': 'counts messages, and goes by itself',
  'gateway.known_projects': 'the id of a deleted project: no key is bound to it late',
  'notifier.known_projects': 'the id of a deleted project: no rule is put into it late',
  'reconciler.known_projects': 'the id of a deleted project: no late scan brings rows of it',
  'reconciler.count_totals': 'at most 256 shares of one sum; the sum itself is compared',
  'scanner.deleted_scopes': 'the id of a deleted project or service: no late scan waits for it',
  'scanner.package_versions': 'what is known of a package, whoever has held it',
  'scanner.wanted_ecosystems': 'which advisories are loaded: knowledge, too',
};
/** Of how work is divided, not of what is stored. */
const passing = ['leases', 'walks', 'released_sets', 'retention_passes'];
/** Identity facts: only what else is in the collection is counted. */
const counted: Readonly<Record<string, Filter<Document>>> = {
  // The id of a vulnerability is its own for ever, also when no SBOM holds it any more.
  'reconciler.tracked_vulnerabilities': { status: { $nin: ['vanished', 'merged'] } },
  // The id of a deleted service.
  'reconciler.service_states': { deletion_state: { $exists: false } },
  // The id of a deleted SBOM: a late scan does not bring it back.
  'reconciler.sbom_versions': { removed: { $exists: false } },
};
const prefix = 'bomtrail_';

let running: TestStack;
let mongo: MongoClient;

beforeAll(async () => {
  running = await startTestStack({ env: { BOMTRAIL_GARBAGE_GRACE_SECONDS: '2' } });
  const file = path.join(running.dataDir, 'servers.json');
  const { mongoUri } = JSON.parse(readFileSync(file, 'utf8')) as { mongoUri: string };
  mongo = await new MongoClient(mongoUri).connect();
});
afterAll(async () => {
  await mongo?.close();
  await running?.stop();
});

/** Documents per collection, in all databases. */
async function countAll(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const { databases } = await mongo.db().admin().listDatabases({ nameOnly: true });
  for (const { name } of databases.filter((one) => one.name.startsWith(prefix))) {
    for (const collection of await mongo.db(name).collections()) {
      const collectionPath = `${name.slice(prefix.length)}.${collection.collectionName}`;
      if (collectionPath in mayStay || passing.includes(collection.collectionName)) continue;
      counts[collectionPath] = await collection.countDocuments(counted[collectionPath] ?? {});
    }
  }
  return counts;
}

/** All that the API says of a project. */
async function readAll(projectId: string, sbomIds: readonly string[]) {
  const { client } = running;
  return {
    everywhere: await client.summary({}),
    active: await client.allActive({ project_id: projectId }),
    all: await client.vulnerabilities({ project_id: projectId, per_page: 200 }),
    summary: await client.summary({ project_id: projectId }),
    history: await client.history(projectId),
    services: await client.listServices(projectId),
    details: await Promise.all(sbomIds.map((id) => client.sbom(id))),
    lodash: await client.searchPackages({ name: 'lodash' }),
    nameless: await client.searchPackages({ name: 'only-once' }),
  };
}

async function upload(project_id: string, service_name: string, file: Buffer): Promise<string> {
  const { id } = await running.client.upload({ project_id, service_name, file });
  return (await waitForScan(running.client, id, 60_000)).id;
}

test('what is uploaded and deleted again leaves rows, dates, counters and storage as if it had never been', async () => {
  const { client, target } = running;
  const shared = npmDocument('shop', ['lodash@4.17.15', 'minimist@0.0.8']);
  const { id: kept } = await client.createProject({ name: 'Stays' });
  const sboms = [await upload(kept, 'a', shared)];
  sboms.push(await upload(kept, 'a', npmDocument('shop', ['lodash@4.17.15', 'axios@0.21.0'])));
  const [before, read] = [await countAll(), await readAll(kept, sboms)];

  const others = npmDocument('other', ['lodash@4.17.4', 'only-once', 'handlebars@4.0.0']);
  const newest = await upload(kept, 'a', others);
  await upload(kept, 'b', shared);
  await upload(kept, 'b', npmDocument('b', ['node-fetch@2.6.0', 'only-b@1.0.0']));
  const { id: gone } = await client.createProject({ name: 'Goes' });
  await upload(gone, 'c', shared);
  await upload(gone, 'c', npmDocument('c', ['minimist@0.0.8', 'marked@0.3.5']));
  const between = await countAll();
  for (const collectionPath of [
    'ingest.documents',
    'ingest.component_sets',
    'scanner.component_sets',
  ]) {
    expect([collectionPath, between[collectionPath]]).not.toEqual([
      collectionPath,
      before[collectionPath],
    ]);
  }

  await client.deleteSbom(newest);
  const service = (await client.listServices(kept)).find(({ name }) => name === 'b');
  for (const at of [`services/${service?.id}?cascade=true`, `projects/${gone}`]) {
    const { status } = await target.fetch(`${target.baseUrl}/api/v1/${at}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${target.apiKey}` },
    });
    expect([at, status]).toEqual([at, 204]);
  }
  expect(await readAll(kept, sboms)).toEqual(read);
  await eventually(async () => expect(await countAll()).toEqual(before), {
    what: 'storage is as it was before',
  });
  expect(await readAll(kept, sboms)).toEqual(read);
  expect(Buffer.from(await client.download(sboms[0] ?? '')).equals(shared)).toBe(true);
  // What is still shared serves the next upload.
  expect(await client.download(await upload(kept, 'd', shared))).toHaveLength(shared.length);
});
