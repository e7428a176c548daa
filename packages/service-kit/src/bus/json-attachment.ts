import { promisify } from 'node:util';
import { constants, gunzip, gzip } from 'node:zlib';

const zip = promisify(gzip);
const unzip = promisify(gunzip);

/** Characters of JSON from which on packing costs less than sending. */
const packFrom = 256 * 1024;
const gzipMagic = [0x1f, 0x8b];

/** A long JSON text as an attachment between services: gzip'd only when it is large. */
export async function packJson(text: string): Promise<Uint8Array> {
  if (text.length < packFrom) return Buffer.from(text, 'utf8');
  return zip(text, { level: constants.Z_BEST_SPEED });
}

/** Reads what `packJson` made, or any gzip'd JSON. @throws SyntaxError */
export async function unpackJson(bytes: Uint8Array): Promise<unknown> {
  const packed = bytes[0] === gzipMagic[0] && bytes[1] === gzipMagic[1];
  const text = packed
    ? await unzip(bytes)
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return JSON.parse(text.toString('utf8'));
}
