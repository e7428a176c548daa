import { randomBytes } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { SBOM_READING_VERSION } from '@bomtrail/sbom-formats';
import { createBlobStore } from '../store/blob-store';
import { createDocumentStore, type KnownDocument } from '../store/document-store';
import { createFreshSets } from '../store/fresh-sets';
import { cyclonedx, npm, shaOf, startIngest, type TestIngest } from '../testing/start-ingest';

let ingest: TestIngest;
/** A connection of the test's own, of which every command is noted: name and collection. */
let client: MongoClient;
let commands: string[] = [];

beforeAll(async () => {
  ingest = await startIngest();
  client = new MongoClient(ingest.servers.mongoUri, { monitorCommands: true });
  client.on('commandStarted', ({ commandName, command }) => {
    commands.push(`${commandName} ${String(command[commandName])}`);
  });
  await client.connect();
});
afterAll(async () => {
  await client?.close();
  await ingest?.stop();
});
beforeEach(() => {
  commands = [];
});

/** A database of the test's own: that of ingest is swept, which marks what no SBOM refers to. */
function database() {
  return client.db(`${ingest.db.databaseName}_cost`);
}

function store() {
  const db = database();
  return createDocumentStore(db, createBlobStore(db), createFreshSets(0));
}

const bytes = Buffer.from('x');
const created_at = new Date();
const aHash = () => randomBytes(32).toString('hex');

function aRecord(digest = aHash()): KnownDocument {
  return {
    _id: aHash(),
    digest,
    size: 1,
    format: 'cyclonedx' as const,
    spec_version: '1.5',
    root_name: null,
    dependency_count: 0,
    reading: SBOM_READING_VERSION,
    created_at,
  };
}

const aSet = (count = 1) => ({ _id: aHash(), count, created_at });

describe('Fifty that come at once', () => {
  const fifty = <One>(make: () => One): One[] => Array.from({ length: 50 }, make);

  test('are looked up in one question, together with their sets', async () => {
    const { findDocument, storeSet, storeDocument } = store();
    const set = aSet();
    const whole = aRecord(set._id);
    const withoutSet = aRecord();
    await storeSet(set, bytes);
    await Promise.all([whole, withoutSet].map((one) => storeDocument(one, bytes)));
    commands = [];
    const ids = [whole._id, withoutSet._id, whole._id, ...fifty(aHash)];
    const [first, second, third, ...unknown] = await Promise.all(ids.map(findDocument));
    expect([first, second, third]).toEqual([whole, null, whole]);
    expect(new Set(unknown)).toEqual(new Set([null]));
    expect(commands).toEqual(['aggregate documents']);
  });

  test('are stored in one write for the documents and one for the sets, new or not', async () => {
    const { storeSet, storeDocument } = store();
    const sets = fifty(aSet);
    const documents = fifty(aRecord);
    const keepAll = () =>
      Promise.all([
        ...sets.map((one) => storeSet(one, bytes)),
        ...documents.map((one) => storeDocument(one, bytes)),
      ]);
    expect(new Set(await keepAll())).toEqual(new Set(['new']));
    expect(commands.sort()).toEqual(['update component_sets', 'update documents']);
    expect(new Set(await keepAll())).toEqual(new Set(['known']));
    expect(commands).toHaveLength(4);
  });
});

test('what the database refuses fails alone among those that are written with it', async () => {
  const { storeSet } = store();
  await storeSet(aSet(), bytes);
  const known = aSet();
  await storeSet(known, bytes);
  const validator = { count: { $lt: 100 } };
  await database().command({ collMod: 'component_sets', validator });
  try {
    commands = [];
    const [first, refused, again, last] = await Promise.allSettled(
      [aSet(), aSet(100), known, aSet()].map((set) => storeSet(set, bytes)),
    );
    expect(commands).toEqual(['update component_sets']);
    expect(refused?.status).toBe('rejected');
    expect([first, again, last]).toMatchObject([
      { value: 'new' },
      { value: 'known' },
      { value: 'new' },
    ]);
  } finally {
    await database().command({ collMod: 'component_sets', validator: {} });
  }
});

describe('One upload', () => {
  /** What ingest asks of its own collections meanwhile. */
  async function costOf(work: () => Promise<unknown>): Promise<Record<string, number>> {
    const { db } = ingest;
    await db.command({ profile: 2 });
    await work().finally(() => db.command({ profile: 0 }));
    const ns = ['documents', 'component_sets'].map((name) => `${db.databaseName}.${name}`);
    const operations = await db
      .collection('system.profile')
      .find({ ns: { $in: ns }, op: { $ne: 'command' } })
      .toArray();
    const lookups = await db
      .collection('system.profile')
      .countDocuments({ ns: { $in: ns }, 'command.aggregate': { $exists: true } });
    await db.dropCollection('system.profile');
    const upserted = operations.filter(({ nUpserted }) => nUpserted === 1).length;
    return {
      lookups,
      upserted,
      touched: operations.filter(({ op }) => op === 'update').length - upserted,
      reads: operations.filter(({ op }) => op === 'query').length,
    };
  }
  const twin = (serial: number) => cyclonedx([npm('cost', '1.0.0')], { version: serial });

  test('of new bytes is one look and a write each for document and set; the set is then read from memory', async () => {
    const cost = await costOf(async () => {
      await ingest.upload(twin(1));
      await ingest.readComponents(ingest.registered.at(-1)?.digest ?? '');
    });
    expect(cost).toEqual({ lookups: 1, upserted: 2, touched: 0, reads: 0 });
  });

  test('of new bytes with a known set writes the document alone', async () => {
    const cost = await costOf(() => ingest.upload(twin(2)));
    expect(cost).toEqual({ lookups: 1, upserted: 1, touched: 1, reads: 0 });
  });

  test('is one of a group when many come at once, which share their look', async () => {
    const documents = Array.from({ length: 20 }, (_, n) =>
      cyclonedx([npm('cost', `2.0.${n}`)], { version: 1 }),
    );
    const cost = await costOf(() => Promise.all(documents.map((one) => ingest.upload(one))));
    expect(cost).toMatchObject({ upserted: 40, touched: 0, reads: 0 });
    // The first ones may be a group before the others have arrived.
    expect(cost['lookups']).toBeLessThanOrEqual(4);
  });

  test('of known bytes is one look', async () => {
    const cost = await costOf(() => ingest.upload(twin(2)));
    expect(cost).toEqual({ lookups: 1, upserted: 0, touched: 0, reads: 0 });
    expect(ingest.registered.at(-1)?.sha256).toBe(shaOf(twin(2)));
  });
});
