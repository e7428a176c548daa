import { isAscii, isUtf8 } from 'node:buffer';

import type { SbomProblem } from './normalised-sbom';

export type DecodedDocument = { ok: true; json: unknown } | { ok: false; problem: SbomProblem };

/**
 * Parses bytes as JSON. UTF-8 only, with or without a byte order mark (docs/validation.md
 * "Formats"); of duplicate keys the last counts, as in `JSON.parse`. Never throws: unreadable bytes
 * are `malformed_json`.
 */
export function decodeDocument(bytes: Uint8Array): DecodedDocument {
  if (bytes.byteLength === 0) return malformed('The file is empty.');
  if (isUtf16(bytes)) return malformed('The file is not UTF-8 text but UTF-16: save it as UTF-8.');
  const ascii = isAscii(bytes);
  if (!ascii && !isUtf8(bytes)) return malformed('The file is not UTF-8 text.');
  try {
    return { ok: true, json: JSON.parse(ascii ? asciiText(bytes) : utf8Text(bytes)) as unknown };
  } catch (error) {
    return malformed(`The file is not JSON: ${reason(error)}.`);
  }
}

/** Most documents; copying bytes is faster than decoding them. */
function asciiText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

function utf8Text(bytes: Uint8Array): string {
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, bytes.byteLength - start).toString();
}

/** By the byte order mark; without one, as JSON begins with ASCII, a zero is one half of its first character. */
function isUtf16([first, second]: Uint8Array): boolean {
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true;
  return (first === 0) !== (second === 0);
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : 'it cannot be read';
}

function malformed(detail: string): DecodedDocument {
  return { ok: false, problem: { code: 'malformed_json', detail } };
}
