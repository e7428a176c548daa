import { AppError } from '@bomtrail/messages';
import { gunzip } from '@bomtrail/messaging';
import { pipeline } from 'node:stream';
import { isNativeError } from 'node:util/types';
import { createGunzip } from 'node:zlib';

const magic = [0x1f, 0x8b] as const;
const chunkSize = 64 * 1024;

/**
 * Unpacks a stream that begins with gzip's magic bytes (RFC 1952, 2.3.1); passes others through.
 * Buffers one chunk.
 *
 * @throws AppError `malformed_body` if the gzip data are broken or truncated
 */
export async function* unpackGzip(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]();
  const head = await firstBytes(chunks);
  const whole = joined(head, chunks);
  if (head[0] === magic[0] && head[1] === magic[1]) yield* gunzipStream(whole);
  else yield* whole;
}

/** Unpacks a stream of gzip'd bytes. @throws AppError `malformed_body` */
export async function* gunzipStream(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const unpacking = createGunzip({ chunkSize });
  // Errors are thrown by the loop below; the callback only prevents an unhandled one.
  pipeline(packed, unpacking, () => {});
  try {
    for await (const chunk of unpacking) yield chunk as Uint8Array;
  } catch (error) {
    throw asMalformed(error);
  }
}

/** Unpacks all of some gzip'd bytes. @throws AppError `malformed_body` */
export async function gunzipWhole(packed: Uint8Array): Promise<Buffer> {
  try {
    return await gunzip(packed);
  } catch (error) {
    throw asMalformed(error);
  }
}

/** The first chunk, with at least two bytes if available. */
async function firstBytes(chunks: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  let head: Uint8Array = Buffer.alloc(0);
  while (head.length < magic.length) {
    const { done, value } = await chunks.next();
    if (done) break;
    head = head.length === 0 ? value : Buffer.concat([head, value]);
  }
  return head;
}

async function* joined(
  head: Uint8Array,
  chunks: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    if (head.length > 0) yield head;
    for (;;) {
      const { done, value } = await chunks.next();
      if (done) return;
      yield value;
    }
  } finally {
    await chunks.return?.();
  }
}

function asMalformed(error: unknown): unknown {
  const isOfZlib =
    isNativeError(error) && String((error as NodeJS.ErrnoException).code).startsWith('Z_');
  if (!isOfZlib) return error;
  return new AppError('malformed_body', 'The gzip data are broken or truncated.');
}
