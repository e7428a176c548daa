import { startTestServers, type TestServers } from '@bomtrail/testkit';
import {
  MongoClient,
  type CommandStartedEvent,
  type Db,
  type Document,
  type Filter,
} from 'mongodb';
import type { TrackedVulnerabilityDocument } from './documents';
import { byService, listIndexes } from './list-indexes';
import { createOrderedReader, type OrderedPart } from './ordered-reader';

let servers: TestServers;
let client: MongoClient;
let db: Db;
const finds: Document[] = [];

const service_id = 'service';
const packages = [
  'npm|\u{10000}',
  'npm|\uffff',
  ...Array.from({ length: 78 }, (_, n) => `npm|${n}`),
];
const ofPackage = 6;

/** In order; the ids of a package are ascending. */
const stored = packages
  .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  .flatMap((package_key, n) =>
    Array.from({ length: ofPackage }, (_, k) => {
      return { _id: `${(n * 7) % 10}-${n}-${k}`, service_id, package_key };
    }),
  );

beforeAll(async () => {
  servers = await startTestServers();
  client = await new MongoClient(servers.mongoUri, { monitorCommands: true }).connect();
  db = client.db(`${servers.prefix}ordered`);
  const all = db.collection<(typeof stored)[number]>('tracked_vulnerabilities');
  await all.createIndexes([...(listIndexes['tracked_vulnerabilities'] ?? [])]);
  // In another order than that of the ids, which is that of an index among equal keys.
  await all.insertMany([...stored].reverse());
  client.on('commandStarted', ({ command }: CommandStartedEvent) => {
    if (command['find']) finds.push(command);
  });
});
afterAll(async () => {
  await client?.close();
  await servers?.stop();
});

test.each([1, 5, 6, 7, 30, 479, 480, 481])(
  'parts of %i are together all vulnerabilities in order, and read little more than these',
  async (limit) => {
    const readInOrder = createOrderedReader(db);
    const found: string[] = [];
    let after: (typeof stored)[number] | null = null;
    for (;;) {
      finds.length = 0;
      const where: Filter<TrackedVulnerabilityDocument> = {
        service_id,
        ...(after && following(after)),
      };
      const part: OrderedPart<TrackedVulnerabilityDocument> = await readInOrder(where, limit, {
        hint: byService,
      });
      expect(part.found.length).toBe(Math.min(limit, stored.length - found.length));
      found.push(...part.found.map(({ _id }) => _id));
      const read = await Promise.all([...finds].map(documentsRead));
      // Before and behind a part, and once more, the packages that it divides.
      const most = part.found.length + 3 * ofPackage;
      expect(read.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(most);
      if (!part.end) break;
      expect(part.end._id).toBe(found.at(-1));
      after = part.end;
    }
    expect(found).toEqual(stored.map(({ _id }) => _id));
  },
);

function following({
  package_key,
  _id,
}: (typeof stored)[number]): Filter<TrackedVulnerabilityDocument> {
  return {
    package_key: { $gte: package_key },
    $or: [{ package_key: { $gt: package_key } }, { package_key, _id: { $gt: _id } }],
  };
}

async function documentsRead(command: Document): Promise<number> {
  const { lsid: _session, $db: _db, ...find } = command;
  const { executionStats } = await db.command({ explain: find, verbosity: 'executionStats' });
  return executionStats.totalDocsExamined as number;
}
