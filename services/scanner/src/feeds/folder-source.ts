import { createHash } from 'node:crypto';
import { opendir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { MATCHED_ECOSYSTEMS } from '@bomtrail/osv';
import { maxFileBytes, type AdvisorySource, type FeedFile, type Opened } from './source';
import { advisoryFiles, openZip } from './zip-archive';

/**
 * A folder with `<ecosystem>/all.zip` or `<ecosystem>/*.json` in it; the zip counts where there are
 * both. Folders of ecosystems that are not matched are passed over.
 *
 * @param labelOf how a part of the source is named by its ecosystem
 */
export function createFolderSource(
  folder: string,
  labelOf: (ecosystem: string) => string,
): AdvisorySource {
  return {
    origin: folder,
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
        open: (known) => openFolder(join(folder, ecosystem), known),
      }));
    },
  };
}

async function openFolder(folder: string, known: string | null): Promise<Opened> {
  const zip = join(folder, 'all.zip');
  if (await stat(zip).catch(() => null)) return openZipEdition(zip, known);
  const { fingerprint, names } = await lookAtFiles(folder);
  if (fingerprint === known) return 'unchanged';
  return {
    fingerprint,
    count: names.length,
    async *files(): AsyncIterable<FeedFile> {
      for (const name of names) yield { name, read: () => readBounded(join(folder, name)) };
    },
    close: async () => {},
  };
}

/** Opens a zip file with the advisories at its root, unless its size and time are the known ones. */
export async function openZipEdition(file: string, known: string | null): Promise<Opened> {
  const fingerprint = await fingerprintOf(file);
  if (fingerprint === known) return 'unchanged';
  const zip = await openZip(file);
  return {
    fingerprint,
    count: zip.count,
    files: () => advisoryFiles(zip, null),
    close: () => zip.close(),
  };
}

/** Size and time of change: what a copy or a download of a new edition always moves. */
export async function fingerprintOf(file: string): Promise<string> {
  const { size, mtimeMs } = await stat(file);
  return `${size}:${Math.trunc(mtimeMs)}`;
}

async function lookAtFiles(folder: string): Promise<{ fingerprint: string; names: string[] }> {
  const names: string[] = [];
  for await (const entry of await opendir(folder)) {
    if (entry.isFile() && entry.name.endsWith('.json')) names.push(entry.name);
  }
  names.sort();
  const hash = createHash('sha256');
  for (const name of names) hash.update(`${name}:${await fingerprintOf(join(folder, name))}\n`);
  return { fingerprint: hash.digest('hex').slice(0, 32), names };
}

async function readBounded(file: string): Promise<Buffer> {
  if ((await stat(file)).size > maxFileBytes) throw new Error('the file is too large');
  return readFile(file);
}
