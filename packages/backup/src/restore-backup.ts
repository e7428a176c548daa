import { join } from 'node:path';
import { serviceNames } from '@bomtrail/messages';
import { restoreInProgress } from '@bomtrail/mongo';
import { OperatorError } from '@bomtrail/terminal';
import { BSON, type Db, type Document, type MongoClient, type UpdateFilter } from 'mongodb';
import { readBsonFile } from './bson-file';
import { fileOf, LEASES, type Manifest } from './manifest';
import { requireNobodyThere } from './nobody-there';
import { collectionsOf } from './write-backup';

export interface RestoreOptions {
  folder: string;
  manifest: Manifest;
  /** Prefix of the databases to write. */
  prefix: string;
  /** Drop existing content. */
  force: boolean;
  signal: AbortSignal;
  /** Runs before the first change. */
  onReplacing?: () => Promise<void>;
}

const batchDocuments = 1_000;
const batchBytes = 8 * 1024 * 1024;
/** Keep BSON types. */
const exactly = { promoteValues: false, promoteBuffers: false, bsonRegExp: true } as const;

/**
 * Restores a checked backup into the six databases. If interrupted, the databases stay marked: services wait, and the
 * next restore starts over. If rejected, the marks are removed. Services create indexes when they start.
 *
 * @throws OperatorError before any change: if the databases are not empty and `force` is not set, or a service is
 * connected
 */
export async function restoreBackup(client: MongoClient, options: RestoreOptions): Promise<void> {
  const databases = serviceNames.map((name) => client.db(`${options.prefix}${name}`));
  const wasBegun = await isBegun(databases);
  // First, so that a starting service waits or is seen.
  await mark(databases, { $setOnInsert: { looking: true } });
  try {
    await requireNobodyThere(client, databases);
    if (!options.force && !wasBegun) await requireRoom(databases);
  } catch (error) {
    await withdraw(databases);
    throw error;
  }
  await options.onReplacing?.();
  await mark(databases, { $set: { begun_at: new Date() }, $unset: { looking: 1 } });
  for (const db of databases) {
    const names = await collectionsOf(db);
    for (const name of names) if (name !== restoreInProgress) await db.collection(name).drop();
  }
  for (const one of options.manifest.collections) {
    const db = client.db(`${options.prefix}${one.service}`);
    const source = join(options.folder, fileOf(options.manifest, one));
    const stored = await load({ db, name: one.collection, source }, options.signal);
    if (stored !== one.documents) {
      throw new Error(`${source} held ${stored} documents in place of ${one.documents}`);
    }
  }
  for (const db of databases) await db.collection(restoreInProgress).drop();
}

/** Makes services wait. `looking`: nothing is changed yet. */
interface Mark {
  _id: string;
  begun_at?: Date;
  looking?: true;
}

const marksOf = (db: Db) => db.collection<Mark>(restoreInProgress);

async function mark(databases: readonly Db[], update: UpdateFilter<Mark>): Promise<void> {
  for (const db of databases) {
    await marksOf(db).updateOne({ _id: 'restore' }, update, { upsert: true });
  }
}

/** True if an interrupted restore had begun to replace data. */
async function isBegun(databases: readonly Db[]): Promise<boolean> {
  const found = await Promise.all(
    databases.map((db) => marksOf(db).findOne({ looking: { $ne: true } })),
  );
  return found.some((one) => one !== null);
}

/** Removes marks without changes. Those of an interrupted restore stay. */
async function withdraw(databases: readonly Db[]): Promise<void> {
  for (const db of databases) {
    await marksOf(db).deleteOne({ _id: 'restore', looking: true });
    if ((await marksOf(db).findOne()) === null) await marksOf(db).drop();
  }
}

async function requireRoom(databases: readonly Db[]): Promise<void> {
  for (const db of databases) {
    for (const name of await collectionsOf(db)) {
      if (name === LEASES || name === restoreInProgress) continue;
      if ((await db.collection(name).findOne()) === null) continue;
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
