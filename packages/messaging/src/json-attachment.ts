import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { constants, createGunzip, createGzip, gunzip, gzip } from 'node:zlib';

const zip = promisify(gzip);
const unzip = promisify(gunzip);

/** Length from which compressing costs less than sending, in characters. */
const compressFrom = 256 * 1024;
const gzipMagic = [0x1f, 0x8b];
/** Bytes that are unpacked in one step; by default zlib takes a step for every 16 KiB, and joins them. */
const unpackedAtOnce = { least: 1024, most: 1024 * 1024 };

/** Encodes a JSON text as an attachment; large texts are gzipped. */
export async function packJson(text: string): Promise<Uint8Array> {
  if (text.length < compressFrom) return Buffer.from(text, 'utf8');
  return zip(text, { level: constants.Z_BEST_SPEED });
}

/** Parses the result of `packJson`, or any gzipped JSON. @throws SyntaxError */
export async function unpackJson(bytes: Uint8Array): Promise<unknown> {
  const packed = bytes[0] === gzipMagic[0] && bytes[1] === gzipMagic[1];
  const given = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const text = packed ? await unzip(given, { chunkSize: chunkSizeOf(given) }) : given;
  return JSON.parse(text.toString('utf8'));
}

/** A little more than the content, whose length is at the end. */
function chunkSizeOf(packed: Buffer): number {
  const { least, most } = unpackedAtOnce;
  const length = packed.length < 4 ? 0 : packed.readUInt32LE(packed.length - 4);
  return Math.min(length + least, most);
}

/**
 * Packs texts into one gzip'd stream; only the packed bytes are kept in memory.
 *
 * @throws the error of the source
 */
export async function packTexts(texts: AsyncIterable<string>): Promise<Buffer> {
  const packed: Buffer[] = [];
  const options = { level: constants.Z_BEST_SPEED };
  await pipeline(texts, createGzip(options), async (bytes: AsyncIterable<Buffer>) => {
    for await (const some of bytes) packed.push(some);
  });
  return Buffer.concat(packed);
}

/** Packs JSON texts without line breaks, one a line. */
export function packLines(texts: AsyncIterable<string>): Promise<Buffer> {
  async function* ended(): AsyncGenerator<string> {
    for await (const text of texts) yield `${text}\n`;
  }
  return packTexts(ended());
}

/** Parses the lines that `packLines` packed, one at a time. @throws Error when they are damaged */
export async function* unpackLines(bytes: Uint8Array): AsyncGenerator<unknown> {
  const source = Readable.from([bytes]);
  const unpacked = source.pipe(createGunzip());
  source.on('error', (error) => unpacked.destroy(error));
  let begun: Buffer[] = [];
  for await (const chunk of unpacked as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      begun.push(chunk.subarray(from, end));
      yield JSON.parse(Buffer.concat(begun).toString('utf8'));
      begun = [];
      from = end + 1;
    }
    begun.push(chunk.subarray(from));
  }
}
