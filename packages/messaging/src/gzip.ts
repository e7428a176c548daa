import { promisify } from 'node:util';
import { gunzip as unpackInThread, gunzipSync, gzip as packInThread, gzipSync } from 'node:zlib';
import type { ZlibOptions } from 'node:zlib';

const zip = promisify<Buffer | string, ZlibOptions, Buffer>(packInThread);
const unzip = promisify<Uint8Array, ZlibOptions, Buffer>(unpackInThread);

/** Unpacked bytes that are handled in this thread: a millisecond at most, and a third less CPU than in another one. */
export const bytesAtOnce = 256 * 1024;

/** Sizes of the buffers into which zlib unpacks; by default it takes a step for every 16 KiB, and joins them. */
const steps = { least: 1024, most: 1024 * 1024 };

/** Packs bytes, or a text as UTF-8: small ones at once, others in another thread. */
export async function gzip(content: Buffer | string, options: ZlibOptions = {}): Promise<Buffer> {
  return content.length <= bytesAtOnce ? gzipSync(content, options) : zip(content, options);
}

/** Unpacks small content at once, other content in another thread. @throws an error of zlib if it is damaged */
export async function gunzip(packed: Uint8Array): Promise<Buffer> {
  const size = unpackedSize(packed);
  const chunkSize = Math.min(steps.least + size, steps.most);
  return size <= bytesAtOnce ? gunzipSync(packed, { chunkSize }) : unzip(packed, { chunkSize });
}

/** What the end of gzip'd bytes of one member says: the size modulo 4 GiB (RFC 1952, 2.3.1: ISIZE). */
export function unpackedSize(packed: Uint8Array): number {
  const end = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  return end.length < 4 ? 0 : end.readUInt32LE(end.length - 4);
}
