import { createWriteStream } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { crc32, inflateRaw, inflateRawSync } from 'node:zlib';
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import { maxFileBytes, maxUnpackedBytes, maxZipBytes, type FeedFile } from './source';

/** A zip file that is read entry by entry: memory stays bounded whatever its size. */
export interface ZipArchive {
  /** Entries, folders included. */
  readonly count: number;
  /** The entries in the order of the directory, without folders. */
  entries(): AsyncIterable<ZipEntry>;
  close(): Promise<void>;
}

export interface ZipEntry {
  /** With folders, separated by `/`. */
  path: string;
  read(): Promise<Buffer>;
  /** Size that the directory claims; unpacking gives no more. */
  readonly unpackedBytes: number;
  /** Unpacks the entry, a zip itself, into a file. @throws Error when it is larger than any zip of advisories */
  extract(target: string): Promise<void>;
}

/** Above this size an entry is unpacked beside the event loop instead of on it. */
const smallBytes = 256 * 1024;
const stored = 0;
const deflated = 8;
const unpackAside = promisify(inflateRaw);

/** @throws Error when the file is no complete zip file: its directory stands at the end */
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
    throw new Error(`it is no complete zip file (${(error as Error).message})`, { cause: error });
  }
}

/**
 * Opens a zip file whose advisories are about to be read.
 *
 * @throws Error when it is no complete zip file, or its files have more bytes than all advisories there are
 */
export async function openAdvisoryZip(file: string): Promise<ZipArchive> {
  // The directory can be read only once in one opening.
  const directory = await openZip(file);
  try {
    let total = 0;
    for await (const { unpackedBytes } of directory.entries()) {
      total += unpackedBytes;
      if (total > maxUnpackedBytes)
        throw new Error(`its files have more than ${inGib(maxUnpackedBytes)} unpacked`);
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

/** A feed has hundreds of thousands of small entries: two reads each, and no stream. */
async function readPacked(zip: ZipFile, handle: FileHandle, entry: Entry): Promise<Buffer> {
  if (Math.max(entry.compressedSize, entry.uncompressedSize) > maxFileBytes)
    throw new Error('the file is too large');
  const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
  const packed = Buffer.allocUnsafe(entry.compressedSize);
  const { bytesRead } = await handle.read(packed, 0, packed.length, fileDataStart);
  if (bytesRead !== packed.length) throw new Error('the file ends within it');
  return packed;
}

async function unpack(entry: Entry, packed: Buffer): Promise<Buffer> {
  if (entry.isEncrypted()) throw new Error('it is encrypted');
  if (entry.compressionMethod === stored) return packed;
  if (entry.compressionMethod !== deflated)
    throw new Error(`its compression method ${entry.compressionMethod} is not known`);
  // The size that the directory claims is a bound, so that a small entry cannot grow without end.
  const options = { maxOutputLength: Math.max(1, entry.uncompressedSize) };
  return entry.uncompressedSize > smallBytes
    ? unpackAside(packed, options)
    : inflateRawSync(packed, options);
}

/** The advisory files of a zip as files of a feed: those in `folder`, or at its root when null. */
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
