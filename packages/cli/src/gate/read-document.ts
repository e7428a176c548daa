import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { usageError } from '../exit-codes';

/** Size from which gzip saves more than it costs. */
const compressFromBytes = 16 * 1024;

/** A document to upload. */
export interface SbomFile {
  /** File name as given; `-` for standard input. */
  name: string;
  /** Body for REST: gzipped if large. */
  packed: Uint8Array;
  /** The uncompressed document. */
  bytes: Buffer;
  /** Lower-case hex over `bytes`, as in the response of the server. */
  sha256: string;
}

/**
 * Reads a file or, for `-`, standard input. Gzip is decompressed. The content is validated by the server only.
 *
 * @throws CliError (usage) if it cannot be read or is empty
 */
export async function readDocument(
  name: string,
  input: AsyncIterable<Uint8Array>,
): Promise<SbomFile> {
  const read = name === '-' ? await readAll(input) : await readNamed(name);
  if (read.length === 0) throw usageError(`${calledName(name)} is empty.`);
  const isPacked = read[0] === 0x1f && read[1] === 0x8b;
  const bytes = isPacked ? unpack(read, name) : read;
  const worthIt = !isPacked && bytes.length >= compressFromBytes;
  return {
    name,
    bytes,
    packed: worthIt ? gzipSync(bytes, { level: 6 }) : read,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  };
}

async function readAll(input: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of input) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function readNamed(name: string): Promise<Buffer> {
  try {
    return await readFile(name);
  } catch (error) {
    throw usageError(`The file cannot be read: ${(error as Error).message}`);
  }
}

function unpack(read: Buffer, name: string): Buffer {
  try {
    return gunzipSync(read);
  } catch (error) {
    throw usageError(`${calledName(name)} is an invalid gzip file: ${(error as Error).message}`);
  }
}

function calledName(name: string): string {
  return name === '-' ? 'Standard input' : name;
}
