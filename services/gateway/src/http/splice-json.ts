import { Readable } from 'node:stream';
import { gunzip } from '../upload/unpack-gzip';

/** A field of a JSON object whose value is JSON already, gzip'd; null: an empty array. */
export interface PackedField {
  name: string;
  packed: Uint8Array | null;
}

/**
 * One JSON object: the fields of `head`, then the packed ones, unpacked on the way and never parsed.
 * An SBOM may have 300,000 components: parsing and writing them would stop every other request.
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
