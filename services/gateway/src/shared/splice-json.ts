import { Readable } from 'node:stream';
import { gunzip } from '../uploads/unpack-gzip';

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

async function* splice(
  head: object,
  fields: readonly PackedField[],
): AsyncGenerator<Uint8Array | string> {
  const opened = JSON.stringify(head).slice(0, -1);
  let separator = opened === '{' ? '' : ',';
  yield opened;
  for (const { name, packed } of fields) {
    yield `${separator}${JSON.stringify(name)}:`;
    if (packed) yield* gunzip(Readable.from([packed]));
    else yield '[]';
    separator = ',';
  }
  yield '}';
}
