import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** Several times the size of an unpacked day of EPSS, or of the KEV catalog. */
const maxUnpackedBytes = 256 * 1024 ** 2;

/**
 * Unpacks a body if it is gzip, whatever its name says.
 *
 * @throws Error when it is truncated or larger than 256 MiB
 */
export async function* unpacked(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const iterator = body[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done) throw new Error('the file is empty');
  const whole = Readable.from(
    (async function* () {
      yield first.value;
      yield* { [Symbol.asyncIterator]: () => iterator };
    })(),
  );
  const isGzip = first.value[0] === 0x1f && first.value[1] === 0x8b;
  const plain = isGzip ? whole.pipe(createGunzip()) : whole;
  whole.on('error', (error) => plain.destroy(error));
  let size = 0;
  for await (const piece of plain as AsyncIterable<Uint8Array>) {
    size += piece.length;
    if (size > maxUnpackedBytes)
      throw new Error(`the file has more than ${maxUnpackedBytes} bytes`);
    yield piece;
  }
}

/** The lines of a text. @throws Error if the last line does not end, as in a truncated file */
export async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of body) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split(/\r?\n/);
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest === '') return;
  // The reader may find a better reason in it.
  yield rest;
  throw new Error('the last line is cut off');
}

/** The whole text. */
export async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}
