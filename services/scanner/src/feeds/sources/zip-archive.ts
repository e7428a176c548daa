import { createWriteStream } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { crc32, inflateRaw, inflateRawSync } from 'node:zlib';
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import { maxFileBytes, maxUnpackedBytes, maxZipBytes, type FeedFile } from './source';

/** A zip file that is read entry by entry, in bounded memory. */
export interface ZipArchive {
  /** Number of entries, including folders. */
  readonly count: number;
  /** Entries in directory order, without folders. */
  entries(): AsyncIterable<ZipEntry>;
  close(): Promise<void>;
}

export interface ZipEntry {
  /** With folders, separated by `/`. */
  path: string;
  read(): Promise<Buffer>;
  /** Size according to the directory; a bound for unpacking. */
  readonly unpackedBytes: number;
  /** Unpacks the entry, a nested zip, into a file. @throws Error when it exceeds `maxZipBytes` */
  extract(target: string): Promise<void>;
}

/** Larger entries are unpacked off the event loop. */
const smallBytes = 256 * 1024;
const stored = 0;
const deflated = 8;
const unpackAside = promisify(inflateRaw);

/** @throws Error when the file is not a complete zip file */
export async function openZip(file: string): Promise<ZipArchive> {
  const handle = await open(file, 'r');
  try {
    const zip = await openPromise(file, { lazyEntries: true, autoClose: false });
    return {
      count: zip.entryCount,
      async *entries() {
        for await (const entry of zip.eachEntry()) {
          if (!entry.fileName.endsWith('/')) yield zipEntry(zip, handle, entry);
        }
      },
      close: async () => {
        zip.close();
        await handle.close();
      },
    };
  } catch (error) {
    await handle.close();
    throw new Error(`it is not a complete zip file (${(error as Error).message})`, {
      cause: error,
    });
  }
}

/**
 * Opens a zip file of advisories.
 *
 * @throws Error when it is incomplete, or its files exceed `maxUnpackedBytes`
 */
export async function openAdvisoryZip(file: string): Promise<ZipArchive> {
  // A directory can be read only once per opening.
  const directory = await openZip(file);
  try {
    let total = 0;
    for await (const { unpackedBytes } of directory.entries()) {
      total += unpackedBytes;
      if (total > maxUnpackedBytes)
        throw new Error(`its files exceed ${inGib(maxUnpackedBytes)} unpacked`);
    }
  } finally {
    await directory.close();
  }
  return openZip(file);
}

function inGib(bytes: number): string {
  return `${bytes / 1024 ** 3} GiB`;
}

function zipEntry(zip: ZipFile, handle: FileHandle, entry: Entry): ZipEntry {
  return {
    path: entry.fileName,
    unpackedBytes: entry.uncompressedSize,
    async read() {
      const bytes = await unpack(entry, await readPacked(zip, handle, entry));
      if (crc32(bytes) !== entry.crc32) throw new Error('its checksum is wrong');
      return bytes;
    },
    async extract(target) {
      if (entry.uncompressedSize > maxZipBytes)
        throw new Error(`${entry.fileName} has more than ${inGib(maxZipBytes)} unpacked`);
      await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(target));
    },
  };
}

/** Two reads and no stream: a feed has hundreds of thousands of small entries. */
async function readPacked(zip: ZipFile, handle: FileHandle, entry: Entry): Promise<Buffer> {
  if (Math.max(entry.compressedSize, entry.uncompressedSize) > maxFileBytes)
    throw new Error('the file is too large');
  const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
  const packed = Buffer.allocUnsafe(entry.compressedSize);
  const { bytesRead } = await handle.read(packed, 0, packed.length, fileDataStart);
  if (bytesRead !== packed.length) throw new Error('the file is truncated');
  return packed;
}

async function unpack(entry: Entry, packed: Buffer): Promise<Buffer> {
  if (entry.isEncrypted()) throw new Error('it is encrypted');
  if (entry.compressionMethod === stored) return packed;
  if (entry.compressionMethod !== deflated)
    throw new Error(`compression method ${entry.compressionMethod} is not supported`);
  // The directory's size bounds the output of a malicious entry.
  const options = { maxOutputLength: Math.max(1, entry.uncompressedSize) };
  return entry.uncompressedSize > smallBytes
    ? unpackAside(packed, options)
    : inflateRawSync(packed, options);
}

/** The advisory files of a zip: those in `folder`, or at its root when null. */
export async function* advisoryFiles(
  zip: ZipArchive,
  folder: string | null,
): AsyncIterable<FeedFile> {
  for await (const entry of zip.entries()) {
    const slash = entry.path.lastIndexOf('/');
    const parent = slash < 0 ? null : entry.path.slice(0, slash);
    if (parent === folder && entry.path.endsWith('.json'))
      yield { name: entry.path.slice(slash + 1), read: () => entry.read() };
  }
}
