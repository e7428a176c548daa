import { Readable } from 'node:stream';
import { gunzip, gunzipAtOnce } from '../uploads/unpack-gzip';

/** A field whose value is gzip'd JSON; null: an empty array. */
export interface PackedField {
  name: string;
  packed: Uint8Array | null;
}

/** Unpacking so many bytes at once takes less than a millisecond. */
const atOnceBytes = 256 * 1024;

/**
 * Streams one JSON object: the fields of `head`, then the gzip'd ones, unpacked but never parsed.
 * Parsing an SBOM of 300,000 components would block all other requests.
 */
export function spliceJson(head: object, fields: readonly PackedField[]): Readable {
  return Readable.from(splice(head, fields), { objectMode: false });
}

async function* splice(head: object, fields: readonly PackedField[]): AsyncGenerator<Uint8Array> {
  const opened = JSON.stringify(head).slice(0, -1);
  let separator = opened === '{' ? '' : ',';
  let begun: Uint8Array[] = [Buffer.from(opened)];
  for (const { name, packed } of fields) {
    begun.push(Buffer.from(`${separator}${JSON.stringify(name)}:`));
    separator = ',';
    if (!packed) begun.push(Buffer.from('[]'));
    else if (unpackedSize(packed) <= atOnceBytes) begun.push(gunzipAtOnce(packed));
    else {
      yield Buffer.concat(begun);
      yield* gunzip(Readable.from([packed]));
      begun = [];
    }
  }
  yield Buffer.concat([...begun, Buffer.from('}')]);
}

/** What the end of gzip'd bytes of one member says (RFC 1952, 2.3.1: ISIZE). */
function unpackedSize(packed: Uint8Array): number {
  const end = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  return end.length < 4 ? 0 : end.readUInt32LE(end.length - 4);
}
