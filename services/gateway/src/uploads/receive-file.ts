import { createHash } from 'node:crypto';
import { gzip } from '@bomtrail/messaging';
import {
  gzipChunkSize,
  gzipLevel,
  type ReceivedFile,
  type ReceiveFileOptions,
} from './received-file';
import { storeFile } from './store-file';
import { unpackGzip } from './unpack-gzip';

/** Files up to this size stay in memory; every concurrent upload may use this much. */
export const bytesInMemory = 1024 * 1024;

const packing = { level: gzipLevel, chunkSize: gzipChunkSize };

/**
 * Receives a file, unpacking gzip: small files in memory, others through a temporary file, which is
 * removed on failure.
 *
 * @throws AppError `payload_too_large`, `malformed_body`, `service_unavailable`; errors of the source
 */
export async function receiveFile(
  source: AsyncIterable<Uint8Array>,
  options: ReceiveFileOptions,
): Promise<ReceivedFile> {
  const chunks = unpackGzip(source);
  const most = Math.min(bytesInMemory, options.maxBytes);
  const begin: Uint8Array[] = [];
  let size = 0;
  while (size <= most) {
    const { done, value } = await chunks.next();
    if (done) return keepInMemory(Buffer.concat(begin, size), options);
    begin.push(value);
    size += value.length;
  }
  return storeFile(continued(begin, chunks), options);
}

async function keepInMemory(bytes: Buffer, { isKnown }: ReceiveFileOptions): Promise<ReceivedFile> {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  let packed: Promise<Buffer> | null = null;
  const packedOnce = () => (packed ??= gzip(bytes, packing));
  if (!isKnown(sha256)) await packedOnce();
  return { size: bytes.length, sha256, packed: packedOnce, dispose: async () => {} };
}

async function* continued(
  begin: Uint8Array[],
  rest: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    // Releases the forwarded chunks.
    for (let chunk = begin.shift(); chunk; chunk = begin.shift()) yield chunk;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}
