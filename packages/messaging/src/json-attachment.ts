import { promisify } from 'node:util';
import { constants, gunzip, gzip } from 'node:zlib';

const zip = promisify(gzip);
const unzip = promisify(gunzip);

/** Length from which compressing costs less than sending, in characters. */
const compressFrom = 256 * 1024;
const gzipMagic = [0x1f, 0x8b];

/** Encodes a JSON text as an attachment; large texts are gzipped. */
export async function packJson(text: string): Promise<Uint8Array> {
  if (text.length < compressFrom) return Buffer.from(text, 'utf8');
  return zip(text, { level: constants.Z_BEST_SPEED });
}

/** Parses the result of `packJson`, or any gzipped JSON. @throws SyntaxError */
export async function unpackJson(bytes: Uint8Array): Promise<unknown> {
  const packed = bytes[0] === gzipMagic[0] && bytes[1] === gzipMagic[1];
  const text = packed
    ? await unzip(bytes)
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return JSON.parse(text.toString('utf8'));
}
