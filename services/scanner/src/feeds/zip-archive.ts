import { Writable } from 'node:stream';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import { maxFileBytes, type FeedFile } from './source';

/** A zip file that is read entry by entry: memory stays bounded whatever its size. */
export interface ZipArchive {
  /** Entries, folders included. */
  readonly count: number;
  /** The entries in the order of the directory, without folders. */
  entries(): AsyncIterable<ZipEntry>;
  close(): void;
}

export interface ZipEntry {
  /** With folders, separated by `/`. */
  path: string;
  read(): Promise<Buffer>;
  /** Unpacks the entry into a file. */
  extract(target: string): Promise<void>;
}

/** @throws Error when the file is no complete zip file: its directory stands at the end */
export async function openZip(file: string): Promise<ZipArchive> {
  let zip: ZipFile;
  try {
    zip = await openPromise(file, { lazyEntries: true, autoClose: false });
  } catch (error) {
    throw new Error(`it is no complete zip file (${(error as Error).message})`, { cause: error });
  }
  return {
    count: zip.entryCount,
    async *entries() {
      for await (const entry of zip.eachEntry()) {
        if (!entry.fileName.endsWith('/')) yield zipEntry(zip, entry);
      }
    },
    close: () => zip.close(),
  };
}

function zipEntry(zip: ZipFile, entry: Entry): ZipEntry {
  return {
    path: entry.fileName,
    async read() {
      if (entry.uncompressedSize > maxFileBytes) throw new Error('the file is too large');
      const chunks: Buffer[] = [];
      const collect = new Writable({
        write(chunk: Buffer, _encoding, done) {
          chunks.push(chunk);
          done();
        },
      });
      await pipeline(await zip.openReadStreamPromise(entry), collect);
      const bytes = Buffer.concat(chunks);
      if (crc32(bytes) !== entry.crc32) throw new Error('its checksum is wrong');
      return bytes;
    },
    extract: async (target) =>
      pipeline(await zip.openReadStreamPromise(entry), createWriteStream(target)),
  };
}

/** The advisory files of a zip as files of a feed: those in `folder`, or at its root when null. */
export async function* advisoryFiles(
  zip: ZipArchive,
  folder: string | null,
): AsyncIterable<FeedFile> {
  for await (const entry of zip.entries()) {
    const slash = entry.path.lastIndexOf('/');
    const place = slash < 0 ? null : entry.path.slice(0, slash);
    if (place === folder && entry.path.endsWith('.json'))
      yield { name: entry.path.slice(slash + 1), read: () => entry.read() };
  }
}
