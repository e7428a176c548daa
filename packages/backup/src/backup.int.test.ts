import { rmSync, statSync, writeFileSync } from 'node:fs';
import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  freePort,
  locateServer,
  onFreePort,
  serverCacheDir,
  startMongod,
  type RunningServer,
} from '@bomtrail/embedded';
import { serviceNames } from '@bomtrail/messages';
import { connectDatabase, restoreInProgress } from '@bomtrail/mongo';
import { createLogger } from '@bomtrail/telemetry';
import {
  Binary,
  Decimal128,
  Double,
  Int32,
  Long,
  MongoClient,
  type CommandStartedEvent,
  type Document,
} from 'mongodb';
import { checkBackup } from './check-backup';
import { MANIFEST_FILE, readManifest, type Manifest } from './manifest';
import { restoreBackup } from './restore-backup';
import { restore } from './restore-command';
import { writeBackup } from './write-backup';

const version = '1.2.0';
const exactly = { promoteValues: false, promoteBuffers: false } as const;
let folder: string;
let mongod: RunningServer;
let client: MongoClient;
let tests = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bomtrail-backup-'));
  const binary = await locateServer('mongod', { cacheDir: serverCacheDir(), say: () => {} });
  const dataDir = join(folder, 'mongod');
  mongod = await onFreePort(freePort, (port) => startMongod({ binary, dataDir, port }));
  client = await new MongoClient(mongod.url).connect();
});
afterAll(async () => {
  await client?.close();
  await mongod?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** An installation of one project, and the place for a backup of it. */
async function installed(): Promise<{ prefix: string; to: string; out: string }> {
  const prefix = `from${++tests}_`;
  await client.db(`${prefix}catalog`).collection('projects').insertOne({ name: 'shop' });
  return { prefix, to: `to${tests}_`, out: join(folder, `backup-${tests}`) };
}

function back(prefix: string, out: string): Promise<Manifest> {
  const { signal } = new AbortController();
  return writeBackup(client, { folder: out, prefix, version, signal });
}

interface Target {
  out: string;
  to: string;
  force?: boolean;
  stop?: AbortController;
  through?: MongoClient;
}

/** Works with a client that tells of each command before it is sent. */
async function watched(
  work: (through: MongoClient) => Promise<unknown>,
  clients: (event: CommandStartedEvent) => void,
): Promise<void> {
  const through = new MongoClient(mongod.url, { monitorCommands: true });
  through.on('commandStarted', clients);
  await work(through).finally(() => through.close());
}

/** Databases in which services wait for the end of a restore. */
async function marked(prefix: string): Promise<string[]> {
  const found = await Promise.all(
    serviceNames.map(async (name) => {
      const all = await client.db(`${prefix}${name}`).listCollections().toArray();
      return all.some((one) => one.name === restoreInProgress) ? [name] : [];
    }),
  );
  return found.flat();
}

/** As the command does it; `stop`: interrupted by it when the first document is read. */
async function restoreTo({
  out,
  to,
  force = false,
  stop,
  through = client,
}: Target): Promise<void> {
  const { signal } = stop ?? new AbortController();
  const manifest = await readManifest(out, version);
  await checkBackup(out, manifest, signal);
  const onReplacing = async (): Promise<void> => stop?.abort(new Error('interrupted'));
  await restoreBackup(through, { folder: out, manifest, prefix: to, force, signal, onReplacing });
}

const projects = (prefix: string) => client.db(`${prefix}catalog`).collection('projects');
const names = async (prefix: string): Promise<string[]> =>
  (await projects(prefix).find().toArray()).map(({ name }) => String(name));

test('a backup shows all databases at one moment, though transactions over several of them go on', async () => {
  const { prefix, to, out } = await installed();
  const [one, other] = ['catalog', 'reconciler'].map((name) =>
    client.db(`${prefix}${name}`).collection<{ _id: string; value: number }>('counted'),
  );
  for (const each of [one, other]) await each?.insertOne({ _id: 'count', value: 0 });
  const large = Array.from({ length: 3_000 }, (_, n) => ({ n, text: 'x'.repeat(1_000) }));
  await client.db(`${prefix}ingest`).collection('documents').insertMany(large);
  const state = { done: false, written: 0 };
  const writing = (async () => {
    while (!state.done) {
      await client.withSession((session) =>
        session.withTransaction(async () => {
          for (const each of [one, other])
            await each?.updateOne({}, { $inc: { value: 1 } }, { session });
        }),
      );
      state.written += 1;
    }
  })();
  const manifest = await back(prefix, out);
  const after = state.written;
  state.done = true;
  await writing;
  expect(after).toBeGreaterThan(0);
  expect(manifest.collections.find(({ service }) => service === 'ingest')?.documents).toBe(3_000);

  await restoreTo({ out, to });
  const counts = await Promise.all(
    ['catalog', 'reconciler'].map(async (name) =>
      client.db(`${to}${name}`).collection('counted').findOne(),
    ),
  );
  expect(counts[0]).toEqual(counts[1]);
});

test('documents come back with the type of every value, and leases stay behind', async () => {
  const { prefix, to, out } = await installed();
  const values: Document = {
    _id: 'one',
    int: new Int32(1),
    double: new Double(1),
    long: Long.fromString('9007199254740993'),
    decimal: Decimal128.fromString('1.10'),
    bytes: new Binary(Buffer.from([0, 255]), 0),
    time: new Date(1),
    none: null,
    text: 'ä\u0000"',
    nested: [{ a: new Double(2) }, []],
  };
  await client.db(`${prefix}scanner`).collection('advisories').insertOne(values);
  await client.db(`${prefix}scanner`).collection('leases').insertOne({ token: 1 });
  await back(prefix, out);
  await restoreTo({ out, to });
  const restored = client.db(`${to}scanner`);
  expect(await restored.collection('advisories').find({}, exactly).toArray()).toEqual(
    await client.db(`${prefix}scanner`).collection('advisories').find({}, exactly).toArray(),
  );
  expect(await restored.collection('leases').countDocuments()).toBe(0);
});

/** For how long mongod keeps what is changed. */
async function historySetting(): Promise<unknown> {
  const parameter = 'minSnapshotHistoryWindowInSeconds';
  return (await client.db('admin').command({ getParameter: 1, [parameter]: 1 }))[parameter];
}

test('a backup is for the eyes of its owner, and mongod keeps as little history after it as before', async () => {
  const { prefix, out } = await installed();
  await back(prefix, out);
  const files = await readdir(out, { recursive: true });
  expect(files.length).toBeGreaterThan(2);
  for (const file of files) expect((await stat(join(out, file))).mode & 0o077).toBe(0);
  expect(await historySetting()).toBe(90);
});

describe('the folder of a backup', () => {
  test('takes one backup: of two at once the other is refused, and the one is whole', async () => {
    const { prefix, to, out } = await installed();
    const both = await Promise.allSettled([back(prefix, out), back(prefix, out)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { message: expect.stringContaining('name a new folder') },
    });
    await restoreTo({ out, to });
    expect(await names(to)).toEqual(['shop']);
    expect(await historySetting()).toBe(90);
  });

  test('is not one that holds something, of which nothing is lost', async () => {
    const { prefix, out } = await installed();
    await mkdir(out);
    await writeFile(join(out, 'letter'), 'dear');
    await expect(back(prefix, out)).rejects.toThrow('is not empty (letter): name a new folder');
    expect(await readdir(out)).toEqual(['letter']);
    await rm(join(out, 'letter'));
    await back(prefix, out);
    await expect(back(prefix, out)).rejects.toThrow('is not empty');
  });

  test('may be there and empty, and then stays when the backup fails, as a mounted disk does', async () => {
    const { prefix, to, out } = await installed();
    await mkdir(out);
    await expect(back(`nothing-${prefix}`, out)).rejects.toThrow('nothing to back up');
    expect(await readdir(out)).toEqual([]);
    await back(prefix, out);
    await restoreTo({ out, to });
    expect(await names(to)).toEqual(['shop']);
  });

  test('is no file, nor within one', async () => {
    const { prefix, out } = await installed();
    await writeFile(out, '');
    for (const folder of [out, join(out, 'within')]) {
      await expect(back(prefix, folder)).rejects.toThrow(`${folder} is no folder`);
    }
  });
});

describe('before anything is changed, a restore refuses', () => {
  test('a backup with a file that is damaged or missing', async () => {
    const { prefix, to, out } = await installed();
    await back(prefix, out);
    const file = join(out, `${prefix}catalog`, 'projects.bson.gz');
    await appendFile(file, 'x');
    await expect(restoreTo({ out, to })).rejects.toThrow(`${file} is not what was written`);
    await rm(file);
    await expect(restoreTo({ out, to })).rejects.toThrow(`${file} is missing`);
    await rm(join(out, MANIFEST_FILE));
    await expect(restoreTo({ out, to })).rejects.toThrow('is no backup, or one that was not');
    expect(await names(to)).toEqual([]);
  });

  test.each([{ format: 2 }, { version: '1.10.0' }])('one of later: %j', async (later) => {
    const { prefix, to, out } = await installed();
    const manifest = await back(prefix, out);
    await writeFile(join(out, MANIFEST_FILE), JSON.stringify({ ...manifest, ...later }));
    await expect(restoreTo({ out, to })).rejects.toThrow('restore it with that release');
  });

  test('databases that hold something, unless it is told to drop it', async () => {
    const { prefix, to, out } = await installed();
    await back(prefix, out);
    await projects(to).insertOne({ name: 'other' });
    await client.db(`${to}notifier`).collection('notifications').insertOne({});
    // As a restore leaves it that was killed before it changed anything.
    const mark = client
      .db(`${to}catalog`)
      .collection<{ _id: string; looking: boolean }>(restoreInProgress);
    await mark.insertOne({ _id: 'restore', looking: true });
    await expect(restoreTo({ out, to })).rejects.toThrow('holds data already (projects)');
    expect([await names(to), await marked(to)]).toEqual([['other'], []]);
    await restoreTo({ out, to, force: true });
    expect(await names(to)).toEqual(['shop']);
    expect(await client.db(`${to}notifier`).collection('notifications').countDocuments()).toBe(0);
  });

  test('and does not say before that it restores', async () => {
    const { prefix, to, out } = await installed();
    const manifest = await back(prefix, out);
    await writeFile(join(out, MANIFEST_FILE), JSON.stringify({ ...manifest, version: '1.0.0' }));
    await projects(to).insertOne({ name: 'other' });
    const lines: string[] = [];
    const env = { MONGODB_URI: mongod.url, MONGODB_DATABASE_PREFIX: to };
    const terminal = { env, say: (line: string) => void lines.push(line) };
    await expect(restore(terminal, ['--from', out])).rejects.toThrow('holds data already');
    expect(lines).toEqual([expect.stringMatching(/are as they were written\.$/)]);
    await restore(terminal, ['--from', out, '--force']);
    expect(lines[2]).toBe('Restoring …');
  });

  test('databases to which a service is connected that does nothing, and says which and where', async () => {
    const { prefix, to, out } = await installed();
    await back(prefix, out);
    await projects(to).insertOne({ name: 'other' });
    const idle = await connectDatabase({
      settings: { MONGODB_URI: mongod.url },
      name: `${to}gateway`,
      log: createLogger({ service: 'test', level: 'fatal', format: 'json' }),
    });
    const elsewhere = await connectDatabase({
      settings: { MONGODB_URI: mongod.url },
      name: 'other_ingest',
      log: createLogger({ service: 'test', level: 'fatal', format: 'json' }),
    });
    await expect(restoreTo({ out, to, force: true })).rejects.toThrow(
      `connected to the databases: ${to}gateway from 127.0.0.1. Nothing was changed`,
    );
    expect([await names(to), await marked(to)]).toEqual([['other'], []]);
    await idle.client.close();
    await restoreTo({ out, to, force: true });
    expect(await names(to)).toEqual(['shop']);
    await elsewhere.client.close();
  });

  test('nobody who starts while it looks who is there: all databases are marked by then', async () => {
    const { prefix, to, out } = await installed();
    await back(prefix, out);
    const order: string[] = [];
    await watched(
      (through) => restoreTo({ out, to, through }),
      ({ commandName, databaseName, command }) => {
        if (command['update'] === restoreInProgress) order.push(databaseName);
        if (commandName === 'aggregate' && databaseName === 'admin') order.push('who is there?');
      },
    );
    const all = serviceNames.map((name) => `${to}${name}`);
    expect(order.slice(0, order.indexOf('who is there?'))).toEqual(all);
  });

  test('databases on which a service of an earlier release works', async () => {
    const { prefix, to, out } = await installed();
    await back(prefix, out);
    const leases = client
      .db(`${to}notifier`)
      .collection<{ _id: string; expires_at: Date }>('leases');
    await leases.insertOne({ _id: 'check', expires_at: new Date(Date.now() + 60_000) });
    await expect(restoreTo({ out, to, force: true })).rejects.toThrow('lease "check"');
  });
});

test('a restore that was interrupted leaves its mark in every database, and the next one begins anew', async () => {
  const { prefix, to, out } = await installed();
  await client.db(`${prefix}gateway`).collection('api_keys').insertOne({ name: 'ci' });
  await back(prefix, out);
  await expect(restoreTo({ out, to, stop: new AbortController() })).rejects.toThrow('interrupted');
  for (const service of ['gateway', 'catalog', 'notifier'])
    expect(await client.db(`${to}${service}`).collection(restoreInProgress).countDocuments()).toBe(
      1,
    );
  await expect(back(to, `${out}-half`)).rejects.toThrow('was not finished');
  const waiting = await connectDatabase({
    settings: { MONGODB_URI: mongod.url },
    name: `${to}gateway`,
    log: createLogger({ service: 'test', level: 'fatal', format: 'json' }),
  });
  await expect(restoreTo({ out, to })).rejects.toThrow('connected to the databases');
  expect(await marked(to)).toHaveLength(serviceNames.length);
  await waiting.client.close();

  await restoreTo({ out, to });
  expect(await names(to)).toEqual(['shop']);
  const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true });
  for (const { name } of databases.filter((one) => one.name.startsWith(to)))
    expect(
      (await client.db(name).listCollections().toArray()).map((one) => one.name),
    ).not.toContain(restoreInProgress);
});

test('a folder is not taken for a backup when it was interrupted, and nothing of it is left', async () => {
  const { prefix, out } = await installed();
  const signal = AbortSignal.abort(new Error('interrupted'));
  const options = { folder: out, prefix, version, signal };
  await expect(writeBackup(client, options)).rejects.toThrow();
  await expect(readFile(join(out, MANIFEST_FILE))).rejects.toThrow('ENOENT');
});

test('why a backup failed is told also where what it left cannot be removed', async () => {
  const { prefix, out } = await installed();
  const { signal } = new AbortController();
  const options = { folder: out, prefix, version, signal };
  const failing = watched(
    (through) => writeBackup(through, options),
    ({ commandName }) => {
      if (commandName !== 'find' || statSync(out).isFile()) return;
      rmSync(out, { recursive: true });
      writeFileSync(out, '');
    },
  );
  await expect(failing).rejects.toThrow(`${out} is no folder`);
});
