import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGunzip, createGzip } from 'node:zlib';
import { gunzip, gzip } from './gzip';

/** Length from which compressing costs less than sending, in characters. */
const compressFrom = 256 * 1024;
const gzipMagic = [0x1f, 0x8b];
/** What a stream packs at once, in characters: less than a millisecond, and each part costs 50 µs more. */
const partLength = 64 * 1024;
const fastest = { level: constants.Z_BEST_SPEED };

/** Encodes a JSON text as an attachment; large texts are gzipped. */
export async function packJson(text: string): Promise<Uint8Array> {
  return text.length < compressFrom ? Buffer.from(text, 'utf8') : gzip(text, fastest);
}

/** Parses the result of `packJson`, or any gzipped JSON. @throws SyntaxError */
export async function unpackJson(bytes: Uint8Array): Promise<unknown> {
  const isPacked = bytes[0] === gzipMagic[0] && bytes[1] === gzipMagic[1];
  const given = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const text = isPacked ? await gunzip(given) : given;
  return JSON.parse(text.toString('utf8'));
}

/**
 * Packs texts into one gzip'd stream; only the packed bytes are kept in memory. Short ones are packed at once.
 *
 * @throws the error of the source
 */
export async function packTexts(texts: AsyncIterable<string>): Promise<Buffer> {
  const parts = joined(texts);
  const first = await parts.next();
  if (first.done || first.value.length < partLength)
    return gzip(first.done ? '' : first.value, fastest);
  async function* all(): AsyncGenerator<string> {
    yield first.value as string;
    yield* parts;
  }
  const packed: Buffer[] = [];
  await pipeline(all(), createGzip(fastest), async (bytes: AsyncIterable<Buffer>) => {
    for await (const some of bytes) packed.push(some);
  });
  return Buffer.concat(packed);
}

/** Joins texts to parts of at least `partLength`, except the last one. */
async function* joined(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let part = '';
  for await (const text of texts) {
    part += text;
    if (part.length < partLength) continue;
    yield part;
    part = '';
  }
  if (part !== '') yield part;
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
