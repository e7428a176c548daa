import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serviceNames } from '@bomtrail/messages';
import { OperatorError, systemCodeOf } from '@bomtrail/terminal';

/** Format version of files and manifest; raised if earlier releases cannot restore them. */
export const BACKUP_FORMAT = 1;
/** Written last: a folder without it is not a backup. */
export const MANIFEST_FILE = 'manifest.json';
/** Leases are not backed up. */
export const LEASES = 'leases';

/** A collection of a backup. */
export interface BackedUpCollection {
  /** Service of the database. */
  service: string;
  collection: string;
  documents: number;
  /** Of the compressed file. */
  bytes: number;
  sha256: string;
}

/** Content of a backup, which includes everything acknowledged before `begun_at`. */
export interface Manifest {
  format: number;
  version: string;
  begun_at: string;
  prefix: string;
  collections: BackedUpCollection[];
}

/** Path of a collection below the backup, named as by `mongodump --gzip`. */
export function fileOf(
  { prefix }: Pick<Manifest, 'prefix'>,
  { service, collection }: Pick<BackedUpCollection, 'service' | 'collection'>,
): string {
  return join(`${prefix}${service}`, `${encodeURIComponent(collection)}.bson.gz`);
}

/**
 * Reads the manifest of a backup that this release can restore.
 *
 * @throws OperatorError if there is none, or it has a later format or release
 */
export async function readManifest(folder: string, version: string): Promise<Manifest> {
  const manifest = await parseManifest(folder);
  if (manifest.format > BACKUP_FORMAT || isLater(manifest.version, version)) {
    throw new OperatorError(
      `${folder} was written by bomtrail ${manifest.version} (format ${manifest.format}), which is ` +
        `later than this ${version} (format ${BACKUP_FORMAT}): restore it with that release.`,
    );
  }
  const isWhole =
    /^[A-Za-z0-9_-]{0,40}$/.test(manifest.prefix) &&
    manifest.collections.every(({ service }) => serviceNames.some((name) => name === service));
  if (!isWhole) throw new OperatorError(`${folder} names databases that bomtrail does not have.`);
  return manifest;
}

async function parseManifest(folder: string): Promise<Manifest> {
  try {
    const read: unknown = JSON.parse(await readFile(join(folder, MANIFEST_FILE), 'utf8'));
    if (isManifest(read)) return read;
  } catch (error) {
    const isNone = ['ENOENT', 'ENOTDIR'].includes(systemCodeOf(error) ?? '');
    if (!isNone && !(error instanceof SyntaxError)) throw error;
    if (isNone) {
      throw new OperatorError(
        `${folder} is no backup, or one that was not finished: it has no ${MANIFEST_FILE}.`,
      );
    }
  }
  throw new OperatorError(`The ${MANIFEST_FILE} of ${folder} is damaged.`);
}

function isManifest(value: unknown): value is Manifest {
  const { format, version, prefix, collections } = (value ?? {}) as Partial<Manifest>;
  return (
    typeof format === 'number' &&
    typeof version === 'string' &&
    typeof prefix === 'string' &&
    Array.isArray(collections)
  );
}

/** True if release `one` is later than `other`; both are `major.minor.patch`. */
function isLater(one: string, other: string): boolean {
  const [left = [], right = []] = [one, other].map((text) => text.split('.').map(Number));
  const at = left.findIndex((part, folder) => part !== right[folder]);
  return at >= 0 && (left[at] ?? 0) > (right[at] ?? 0);
}
