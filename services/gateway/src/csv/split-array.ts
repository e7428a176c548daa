import { gunzipStream } from '../uploads/unpack-gzip';
import { Readable } from 'node:stream';

/** Elements parsed together. */
const elementsAtOnce = 1_000;

const [quote, backslash, open, close, opened, closed, comma] = [...'"\\{}[],'].map((character) =>
  character.charCodeAt(0),
);

/**
 * The elements of a gzip'd JSON array, in groups. Neither the unpacked text nor all elements are ever in memory.
 *
 * @throws SyntaxError if it is no array
 */
export async function* splitArray<Element>(packed: Uint8Array): AsyncGenerator<Element[]> {
  let group: Element[] = [];
  for await (const text of elementTexts(gunzipStream(Readable.from([packed])))) {
    group.push(JSON.parse(text) as Element);
    if (group.length < elementsAtOnce) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

/** The texts of the elements of a JSON array that arrives in pieces. */
export async function* elementTexts(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let depth = 0;
  let isText = false;
  let isEscaped = false;
  let held: Uint8Array[] = [];
  const take = (rest: Uint8Array): string => {
    const text = Buffer.concat([...held, rest]).toString('utf8');
    held = [];
    return text;
  };
  for await (const piece of pieces) {
    let from = 0;
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at];
      if (isEscaped) isEscaped = false;
      else if (isText) {
        if (byte === backslash) isEscaped = true;
        else if (byte === quote) isText = false;
      } else if (byte === quote) isText = true;
      else if (byte === open || byte === opened) {
        depth += 1;
        if (depth === 1) from = at + 1;
      } else if (byte === close || byte === closed || (byte === comma && depth === 1)) {
        if (byte !== comma) depth -= 1;
        if (depth > 1 || (byte !== comma && depth === 1)) continue;
        const text = take(piece.subarray(from, at));
        if (text.trim() !== '') yield text;
        from = at + 1;
      }
    }
    if (depth > 0) held.push(piece.subarray(from));
  }
  if (depth !== 0) throw new SyntaxError('The array is not complete.');
}
