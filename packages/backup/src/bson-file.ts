import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { constants, createGunzip, createGzip } from 'node:zlib';

/** Buffer size for small documents. */
const chunkBytes = 256 * 1024;
/** Size of the length prefix of a BSON document. */
const lengthBytes = 4;

/** Content of a file. */
export interface FileSums {
  documents: number;
  bytes: number;
  sha256: string;
}

/** Writes BSON documents to a gzipped file, readable by the owner only; synced to disk when this resolves. */
export async function writeBsonFile(
  path: string,
  source: AsyncIterable<Buffer>,
  signal: AbortSignal,
): Promise<FileSums> {
  const hash = createHash('sha256');
  const sums = { documents: 0, bytes: 0 };
  await pipeline(
    inChunks(source, () => (sums.documents += 1)),
    // Most large data is gzipped already: a higher level saves little.
    createGzip({ level: constants.Z_BEST_SPEED }),
    async function* (packed: AsyncIterable<Buffer>) {
      for await (const chunk of packed) {
        hash.update(chunk);
        sums.bytes += chunk.length;
        yield chunk;
      }
    },
    createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }),
    { signal },
  );
  return { ...sums, sha256: hash.digest('hex') };
}

async function* inChunks(source: AsyncIterable<Buffer>, count: () => void): AsyncIterable<Buffer> {
  let chunk: Buffer[] = [];
  let size = 0;
  for await (const document of source) {
    count();
    chunk.push(document);
    size += document.length;
    if (size < chunkBytes) continue;
    yield Buffer.concat(chunk);
    chunk = [];
    size = 0;
  }
  yield Buffer.concat(chunk);
}

/** Returns the SHA-256 of a file. */
export async function sha256Of(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash, { signal });
  return hash.digest('hex');
}

/** Reads a file of `writeBsonFile` document by document. @throws Error if it ends within a document */
export async function* readBsonFile(path: string): AsyncIterable<Buffer> {
  const packed = createReadStream(path);
  const source = packed.pipe(createGunzip());
  packed.on('error', (error) => source.destroy(error));
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of source as AsyncIterable<Buffer>) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let at = 0;
    while (rest.length - at >= lengthBytes) {
      const length = rest.readInt32LE(at);
      if (length <= lengthBytes) throw new Error(`${path} is no sequence of BSON documents`);
      if (rest.length - at < length) break;
      yield rest.subarray(at, at + length);
      at += length;
    }
    rest = rest.subarray(at);
  }
  if (rest.length > 0) throw new Error(`${path} ends within a document`);
}
