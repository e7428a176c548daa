import { AppError } from '@bomtrail/messages';
import { createHash, randomUUID } from 'node:crypto';
import { open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import {
  gzipChunkSize,
  gzipLevel,
  type ReceivedFile,
  type ReceiveFileOptions,
} from './received-file';

const namePrefix = 'bomtrail-upload-';

/**
 * Streams a file to disk through SHA-256 and gzip. Leaves no file behind on failure.
 *
 * @throws AppError `payload_too_large`, `service_unavailable` if the disk refuses it; errors of the source
 */
export async function storeFile(
  source: AsyncIterable<Uint8Array>,
  options: Pick<ReceiveFileOptions, 'directory' | 'maxBytes' | 'onDiskError'>,
): Promise<ReceivedFile> {
  const path = join(options.directory, `${namePrefix}${randomUUID()}.gz`);
  const refused = (error: unknown): AppError => {
    options.onDiskError(error as NodeJS.ErrnoException);
    return new AppError(
      'service_unavailable',
      'The server has no room for a file of this size at the moment: repeat the request.',
    );
  };
  const handle = await open(path, 'wx', 0o600).catch((error: unknown) => {
    throw refused(error);
  });
  const hash = createHash('sha256');
  let size = 0;
  // Of the first to fail: the other is then destroyed, which is an error of its own.
  let failure: unknown;
  async function* measured(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of chunks) {
        size += chunk.length;
        if (size > options.maxBytes) throw tooLarge(options.maxBytes);
        hash.update(chunk);
        yield chunk;
      }
    } catch (error) {
      failure ??= error;
      throw error;
    }
  }
  try {
    const target = handle.createWriteStream();
    target.once('error', (error: NodeJS.ErrnoException) => {
      if (error.syscall !== undefined) failure ??= refused(error);
    });
    const packing = createGzip({ level: gzipLevel, chunkSize: gzipChunkSize });
    await pipeline(source, measured, packing, target);
    return {
      size,
      sha256: hash.digest('hex'),
      packed: async () => ({ file: path, size: target.bytesWritten }),
      dispose: () => removeFile(path),
    };
  } catch (error) {
    await handle.close().catch(() => undefined);
    await removeFile(path);
    throw failure ?? error;
  }
}

/** Idempotent. */
async function removeFile(path: string): Promise<void> {
  await rm(path, { force: true });
}

/** Removes files of killed processes, older than any upload takes, as far as this user may. */
export async function removeStaleFiles(directory: string, olderThanMs: number): Promise<void> {
  const names = (await readdir(directory)).filter((name) => name.startsWith(namePrefix));
  const ages = await Promise.all(
    names.map(async (name) => {
      const path = join(directory, name);
      const found = await stat(path).catch(() => null);
      return { path, ageMs: found ? Date.now() - found.mtimeMs : 0 };
    }),
  );
  const stale = ages.filter(({ ageMs }) => ageMs > olderThanMs);
  await Promise.allSettled(stale.map(({ path }) => removeFile(path)));
}

function tooLarge(maxBytes: number): AppError {
  return new AppError(
    'payload_too_large',
    `The file is larger than the ${maxBytes} bytes that this server accepts.`,
  );
}
