import { createHash } from 'node:crypto';
import { opendir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { MATCHED_ECOSYSTEMS } from '@bomtrail/osv';
import {
  maxFileBytes,
  type AdvisorySource,
  type FeedFile,
  type Opened,
  type SourceStamp,
} from './source';
import { advisoryFiles, openAdvisoryZip } from './zip-archive';

/**
 * Creates a source from a folder with `<ecosystem>/all.zip` or `<ecosystem>/*.json`; the zip wins.
 * Folders of unsupported ecosystems are ignored.
 *
 * @param labelOf label of the part of an ecosystem
 */
export function createFolderSource(
  folder: string,
  labelOf: (ecosystem: string) => string,
): AdvisorySource {
  return {
    origin: folder,
    isLive: false,
    async list() {
      const present = await Promise.all(
        MATCHED_ECOSYSTEMS.map(async (ecosystem) => {
          const found = await stat(join(folder, ecosystem)).catch(() => null);
          return found?.isDirectory() ? [ecosystem] : [];
        }),
      );
      return present.flat().map((ecosystem) => ({
        label: labelOf(ecosystem),
        covers: [ecosystem],
        open: ({ fingerprint }) => openFolder(join(folder, ecosystem), fingerprint),
      }));
    },
  };
}

async function openFolder(folder: string, known: string | null): Promise<Opened> {
  const zip = join(folder, 'all.zip');
  if (await stat(zip).catch(() => null)) return openZipEdition(zip, known);
  const { fingerprint, names, newest } = await statFiles(folder);
  if (fingerprint === known) return 'unchanged';
  return {
    ...wholeEdition({ fingerprint, newest }),
    count: names.length,
    async *files(): AsyncIterable<FeedFile> {
      for (const name of names) yield { name, read: () => readBounded(join(folder, name)) };
    },
    close: async () => {},
  };
}

/** Opens a zip file with advisories at its root, unless its size and time are the known ones. */
export async function openZipEdition(file: string, known: string | null): Promise<Opened> {
  const current = await statFile(file);
  if (current.fingerprint === known) return 'unchanged';
  const zip = await openAdvisoryZip(file);
  return {
    ...wholeEdition(current),
    count: zip.count,
    files: () => advisoryFiles(zip, null),
    close: () => zip.close(),
  };
}

/** State of a file or folder. */
export interface FileState {
  /** Derived from size and modification time. */
  fingerprint: string;
  /** Modification time of the newest file, in ms. */
  newest: number;
}

export async function statFile(file: string): Promise<FileState> {
  const { size, mtimeMs } = await stat(file);
  return { fingerprint: `${size}:${Math.trunc(mtimeMs)}`, newest: mtimeMs };
}

/**
 * Common fields of editions read from files: complete, and as old as their files. A time in the
 * future would look current until then.
 */
export function wholeEdition({ fingerprint, newest }: FileState) {
  const asOf = new Date(Math.min(newest, Date.now()));
  return { fingerprint, asOf, increment: null, completeUpTo: null };
}

/** Returns a stamp that changes with any file of the folder; reads no file contents. */
export async function stampOfFolder(folder: string): Promise<SourceStamp> {
  const found = await Promise.all(
    MATCHED_ECOSYSTEMS.map(async (ecosystem) => {
      const path = join(folder, ecosystem);
      const zip = await statFile(join(path, 'all.zip')).catch(() => null);
      return zip ?? statFiles(path).catch(() => null);
    }),
  );
  return {
    stamp: found.map((one) => one?.fingerprint ?? '').join('/'),
    newest: Math.max(0, ...found.map((one) => one?.newest ?? 0)),
  };
}

async function statFiles(folder: string): Promise<FileState & { names: string[] }> {
  const names: string[] = [];
  for await (const entry of await opendir(folder)) {
    if (entry.isFile() && entry.name.endsWith('.json')) names.push(entry.name);
  }
  names.sort();
  const hash = createHash('sha256');
  let newest = 0;
  for (const name of names) {
    const current = await statFile(join(folder, name));
    hash.update(`${name}:${current.fingerprint}\n`);
    newest = Math.max(newest, current.newest);
  }
  return { fingerprint: hash.digest('hex').slice(0, 32), newest, names };
}

/** @throws Error when the file exceeds `maxFileBytes` */
export async function readBounded(file: string): Promise<Buffer> {
  if ((await stat(file)).size > maxFileBytes) throw new Error('the file is too large');
  return readFile(file);
}
