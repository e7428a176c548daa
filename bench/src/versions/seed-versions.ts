import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { freePort, locateServers, serverCacheDir, startMongod } from '@bomtrail/embedded';
import { MongoClient, type Document } from 'mongodb';
import { BenchFailure } from '../bench-failure';

const batch = 1000;

/**
 * Makes a service longer without uploading: versions that are copies of its newest one, each with a
 * component set of its own, in the shape in which ingest, catalog, scanner and reconciler would have stored
 * them. What they hold is what the newest one holds, so that the rows stay
 * right. No service may run in the data folder meanwhile.
 *
 * @param to how many versions there are afterwards
 */
export async function seedVersions(
  dataDir: string,
  service: { projectId: string; name: string; to: number },
  say: (line: string) => void,
): Promise<void> {
  const { mongod } = await locateServers({ cacheDir: serverCacheDir(), say });
  const server = await startMongod({
    binary: mongod,
    dataDir: join(dataDir, 'mongod'),
    port: await freePort(),
  });
  const client = await new MongoClient(server.url).connect();
  try {
    await seed(client, service);
  } finally {
    await client.close();
    await server.stop();
  }
}

async function seed(
  client: MongoClient,
  { projectId, name, to }: { projectId: string; name: string; to: number },
): Promise<void> {
  const collection = (owner: string, kind: string) =>
    client.db(`bomtrail_${owner}`).collection<Document & { _id: string }>(kind);
  const lines = collection('catalog', 'services');
  const line = await lines.findOne({ project_id: projectId, name });
  const sboms = collection('catalog', 'sboms');
  const newest = line && (await sboms.findOne({ service_id: line._id, seq: line['seq'] }));
  const sets = collection('scanner', 'component_sets');
  const set = newest && (await sets.findOne({ _id: newest['digest'] }));
  if (!newest || !set) throw new BenchFailure(`the newest version of ${name} is not there`);
  const members = collection('scanner', 'component_set_members');
  const pages = await members.find({ digest: set._id }).toArray();
  const document = await collection('ingest', 'documents').findOne({ _id: newest['sha256'] });
  const components = await collection('ingest', 'component_sets').findOne({ _id: set._id });
  const log = collection('reconciler', 'sbom_versions');
  const entry = await log.findOne({ _id: newest._id });
  if (!entry) throw new BenchFailure(`the newest version of ${name} is not in its service state`);

  const begin = (newest['created_at'] as Date).getTime();
  let last = newest;
  for (let from = Number(newest['seq']) + 1; from <= to; from += batch) {
    const count = Math.min(batch, to - from + 1);
    const copies = Array.from({ length: count }, (_, n) => {
      const seq = from + n;
      const sha256 = createHash('sha256').update(`${newest._id} ${seq}`).digest('hex');
      const digest = createHash('sha256').update(`set ${newest._id} ${seq}`).digest('hex');
      const created_at = new Date(begin + seq - Number(newest['seq']));
      return { ...newest, _id: randomUUID(), seq, sha256, digest, created_at, version: `s${seq}` };
    });
    await sboms.insertMany(copies);
    // Without these the scanner would soon forget the sets.
    await collection('ingest', 'documents').insertMany(
      copies.map(({ sha256, digest }) => ({ ...document, _id: sha256, digest })),
    );
    await collection('ingest', 'component_sets').insertMany(
      copies.map(({ digest }) => ({ ...components, _id: digest })),
    );
    await sets.insertMany(copies.map(({ digest }) => ({ ...set, _id: digest })));
    await members.insertMany(
      copies.flatMap(({ digest }) =>
        pages.map((page) => ({ ...page, _id: page._id.replace(set._id, digest), digest })),
      ),
    );
    await log.insertMany(
      copies.map(({ _id, seq, digest, created_at }) => {
        return { ...entry, _id, seq, digest, created_at: created_at.toISOString() };
      }),
    );
    last = copies.at(-1) ?? last;
  }
  const { _id: sbom_id, seq, digest, created_at, sha256, version } = last as Document;
  await lines.updateOne(
    { _id: line?._id ?? '' },
    { $set: { seq, latest: { sbom_id, sha256, version, digest, created_at }, sbom_count: seq } },
  );
  const head = { sbom_id, seq, digest, created_at: (created_at as Date).toISOString() };
  const states = collection('reconciler', 'service_states');
  await states.updateOne({ _id: line?._id ?? '' }, { $set: { head } });
}
