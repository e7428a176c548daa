import { Readable } from 'node:stream';
import { bytesAtOnce, unpackedSize } from '@bomtrail/messaging';
import { gunzipStream, gunzipWhole } from '../uploads/unpack-gzip';

/** A field whose value is gzip'd JSON; null: an empty array. */
export interface PackedField {
  name: string;
  packed: Uint8Array | null;
}

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
    else if (unpackedSize(packed) <= bytesAtOnce) begun.push(await gunzipWhole(packed));
    else {
      yield Buffer.concat(begun);
      yield* gunzipStream(Readable.from([packed]));
      begun = [];
    }
  }
  yield Buffer.concat([...begun, Buffer.from('}')]);
}
