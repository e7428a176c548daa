import { AppError } from '@bomtrail/messages';
import { createHash, randomUUID } from 'node:crypto';
import { open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { StoredFile } from '../use-cases/upload-sbom';
import { unpackGzip } from './unpack-gzip';

export interface StoreFileOptions {
  directory: string;
  /** Bound of the unpacked bytes. */
  maxBytes: number;
}

const namePrefix = 'bomtrail-upload-';
/** The fastest level: the file lives for seconds, and ingest packs it for good. */
const gzipLevel = 1;
const chunkSize = 64 * 1024;

/**
 * Streams a file to disk through SHA-256 and gzip, unpacking a gzip'd one on the way. Leaves no file
 * behind when it fails.
 *
 * @throws AppError `payload_too_large`, `malformed_body`; what the source throws
 */
export async function storeFile(source: Readable, options: StoreFileOptions): Promise<StoredFile> {
  const path = join(options.directory, `${namePrefix}${randomUUID()}.gz`);
  const handle = await open(path, 'wx', 0o600);
  const hash = createHash('sha256');
  let size = 0;
  let failure: unknown;
  async function* measured(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of unpackGzip(chunks)) {
        size += chunk.length;
        if (size > options.maxBytes) throw tooLarge(options.maxBytes);
        hash.update(chunk);
        yield chunk;
      }
    } catch (error) {
      failure = error;
      throw error;
    }
  }
  try {
    const target = handle.createWriteStream();
    await pipeline(source, measured, createGzip({ level: gzipLevel, chunkSize }), target);
    return { path, packedSize: target.bytesWritten, size, sha256: hash.digest('hex') };
  } catch (error) {
    await handle.close().catch(() => undefined);
    await removeFile(path);
    // Tearing down the streams makes errors of its own, which may come before the one that matters.
    throw failure ?? error;
  }
}

/** Repeating it does nothing more. */
export async function removeFile(path: string): Promise<void> {
  await rm(path, { force: true });
}

/** Removes what a killed process left behind: files older than any upload takes. Gives their number. */
export async function removeStaleFiles(directory: string, olderThanMs: number): Promise<number> {
  const names = (await readdir(directory)).filter((name) => name.startsWith(namePrefix));
  const ages = await Promise.all(
    names.map(async (name) => {
      const path = join(directory, name);
      const found = await stat(path).catch(() => null);
      return { path, ageMs: found ? Date.now() - found.mtimeMs : 0 };
    }),
  );
  const stale = ages.filter(({ ageMs }) => ageMs > olderThanMs);
  await Promise.all(stale.map(({ path }) => removeFile(path)));
  return stale.length;
}

function tooLarge(maxBytes: number): AppError {
  return new AppError(
    'payload_too_large',
    `The file is larger than the ${maxBytes} bytes that this server accepts.`,
  );
}
