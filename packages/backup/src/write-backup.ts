import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serviceNames } from '@bomtrail/messages';
import { restoreInProgress } from '@bomtrail/mongo';
import { OperatorError } from '@bomtrail/terminal';
import type { ClientSession, Db, MongoClient } from 'mongodb';
import { writeBsonFile } from './bson-file';
import {
  BACKUP_FORMAT,
  fileOf,
  LEASES,
  MANIFEST_FILE,
  type BackedUpCollection,
  type Manifest,
} from './manifest';
import { withExtendedSnapshot } from './snapshot';
import { takeFolder } from './take-folder';

export interface BackupOptions {
  /** New or empty folder. */
  folder: string;
  /** Prefix of the databases. */
  prefix: string;
  version: string;
  signal: AbortSignal;
}

/**
 * Writes a snapshot of all documents of the six databases to a folder. On failure nothing is left.
 *
 * @throws OperatorError if the folder cannot be used, there is nothing to back up, or a restore was not finished
 */
export async function writeBackup(client: MongoClient, options: BackupOptions): Promise<Manifest> {
  const { folder, prefix, version } = options;
  const taken = await takeFolder(folder);
  try {
    const manifest = await withExtendedSnapshot(client, async (session) => {
      await taken.clear();
      const begun_at = new Date().toISOString();
      const collections = await writeCollections({ client, session }, options);
      if (collections.every(({ documents }) => documents === 0)) {
        throw new OperatorError(
          `There is nothing to back up: no database ${prefix}… holds anything.`,
        );
      }
      return { format: BACKUP_FORMAT, version, begun_at, prefix, collections };
    });
    await writeManifest(folder, manifest);
    await taken.commit();
    return manifest;
  } catch (error) {
    // Leftover files have no manifest; the original error matters.
    await taken.giveUp().catch(() => undefined);
    throw taken.explained(error);
  }
}

async function writeCollections(
  { client, session }: { client: MongoClient; session: ClientSession },
  options: BackupOptions,
): Promise<BackedUpCollection[]> {
  const { folder, prefix, signal } = options;
  // The first read creates the snapshot; only collections created later are missed.
  await client.db(`${prefix}${serviceNames[0]}`).collection(LEASES).findOne({}, { session });
  const written: BackedUpCollection[] = [];
  for (const service of serviceNames) {
    const db = client.db(`${prefix}${service}`);
    const names = await collectionsOf(db);
    if (names.includes(restoreInProgress)) {
      throw new OperatorError(
        `A restore of ${db.databaseName} was not finished: finish it first, by doing it again.`,
      );
    }
    await mkdir(join(folder, db.databaseName), { mode: 0o700 });
    for (const collection of names.filter((name) => name !== LEASES)) {
      // `raw`: documents as bytes.
      const cursor = db.collection<object>(collection).find({}, { session, raw: true });
      const documents = cursor as unknown as AsyncIterable<Buffer>;
      const path = join(folder, fileOf({ prefix }, { service, collection }));
      const sums = await writeBsonFile(path, documents, signal);
      written.push({ service, collection, ...sums });
    }
  }
  return written;
}

/** Lists the collections of a database to back up. */
export async function collectionsOf(db: Db): Promise<string[]> {
  const all = await db.listCollections({ type: 'collection' }, { nameOnly: true }).toArray();
  return all
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('system.'))
    .sort();
}

async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const path = join(folder, MANIFEST_FILE);
  await writeFile(`${path}.part`, `${JSON.stringify(manifest, null, 2)}\n`, {
    mode: 0o600,
    flush: true,
  });
  await rename(`${path}.part`, path);
}
