import { join } from 'node:path';
import { serviceNames } from '@bomtrail/messages';
import { restoreUnderWay } from '@bomtrail/service-kit';
import { OperatorError } from '@bomtrail/terminal';
import { BSON, type Db, type Document, type MongoClient } from 'mongodb';
import { readBsonFile } from './bson-file';
import { fileOf, LEASES, type Manifest } from './manifest';
import { requireNobodyThere } from './nobody-there';
import { collectionsOf } from './write-backup';

export interface RestoreOptions {
  folder: string;
  manifest: Manifest;
  /** Before the names of the databases that are written. */
  prefix: string;
  /** Whatever the databases hold is dropped. */
  force: boolean;
  signal: AbortSignal;
  /** Runs once it is certain that everything is replaced, before the first change. */
  onReplacing?: () => Promise<void>;
}

const batchDocuments = 1_000;
const batchBytes = 8 * 1024 * 1024;
/** Numbers and texts keep their type. */
const exactly = { promoteValues: false, promoteBuffers: false, bsonRegExp: true } as const;

/**
 * Brings a checked backup into the six databases. Interrupted, it leaves them marked: services wait, and
 * the next restore begins anew. Indexes are made by the services when they start.
 *
 * @throws OperatorError before anything is changed: when the databases hold something and `force` is not
 * set, or a service is connected to them
 */
export async function restoreBackup(client: MongoClient, options: RestoreOptions): Promise<void> {
  const databases = serviceNames.map((name) => client.db(`${options.prefix}${name}`));
  await requireNobodyThere(client, databases);
  if (!options.force) await requireRoom(databases);
  await options.onReplacing?.();
  for (const db of databases) {
    await db
      .collection<{ _id: string }>(restoreUnderWay)
      .updateOne({ _id: 'restore' }, { $set: { begun_at: new Date() } }, { upsert: true });
  }
  for (const db of databases) {
    const names = await collectionsOf(db);
    for (const name of names) if (name !== restoreUnderWay) await db.collection(name).drop();
  }
  for (const one of options.manifest.collections) {
    const db = client.db(`${options.prefix}${one.service}`);
    const source = join(options.folder, fileOf(options.manifest, one));
    const stored = await load({ db, name: one.collection, source }, options.signal);
    if (stored !== one.documents) {
      throw new Error(`${source} held ${stored} documents in place of ${one.documents}`);
    }
  }
  for (const db of databases) await db.collection(restoreUnderWay).drop();
}

async function requireRoom(databases: readonly Db[]): Promise<void> {
  const inAll = await Promise.all(databases.map(collectionsOf));
  if (inAll.some((names) => names.includes(restoreUnderWay))) return;
  for (const [place, db] of databases.entries()) {
    for (const name of inAll[place] ?? []) {
      if (name === LEASES || (await db.collection(name).findOne()) === null) continue;
      throw new OperatorError(
        `${db.databaseName} holds data already (${name}), and nothing was changed: ` +
          'with --force all that is there is dropped and replaced by the backup.',
      );
    }
  }
}

async function load(
  { db, name, source }: { db: Db; name: string; source: string },
  signal: AbortSignal,
): Promise<number> {
  let stored = 0;
  let batch: Document[] = [];
  let size = 0;
  const store = async (): Promise<void> => {
    if (batch.length === 0) return;
    const { insertedCount } = await db.collection(name).insertMany(batch, { ordered: false });
    stored += insertedCount;
    batch = [];
    size = 0;
  };
  for await (const bytes of readBsonFile(source)) {
    signal.throwIfAborted();
    batch.push(BSON.deserialize(bytes, exactly));
    size += bytes.length;
    if (batch.length >= batchDocuments || size >= batchBytes) await store();
  }
  await store();
  return stored;
}
