import { gzipSync } from 'node:zlib';
import type { Random } from './random';

/** Damages a written document; gives new bytes. */
export type ByteOperator = (bytes: Buffer, random: Random) => Buffer;

/** No start of a character, cut characters, a surrogate, and what is beyond Unicode. */
const noUtf8 = ['ff', 'c3', 'e282', 'eda080', 'f4908080', 'c080', '00', 'fe'];
const tokens = [',', '{', '}', '[', ']', '"', '\\', '\\u00', '\\ud800', '//', '\u2028', 'NaN'];

export const byteOperators: Readonly<Record<string, ByteOperator>> = {
  'cut off': (bytes, random) => bytes.subarray(0, random.below(bytes.length + 1)),
  'other byte': (bytes, random) => {
    const changed = Buffer.from(bytes);
    if (changed.length > 0) changed[random.below(changed.length)] = random.below(256);
    return changed;
  },
  'no UTF-8': (bytes, random) => insert(bytes, random, Buffer.from(random.pick(noUtf8), 'hex')),
  token: (bytes, random) => insert(bytes, random, Buffer.from(random.pick(tokens))),
  'byte order mark': (bytes) => Buffer.concat([Buffer.from('efbbbf', 'hex'), bytes]),
  CRLF: (bytes) => Buffer.from(bytes.toString('latin1').replace(/\r?\n|,/g, '$&\r\n'), 'latin1'),
  'UTF-16': (bytes) => Buffer.from(`\uFEFF${bytes.toString()}`, 'utf16le'),
  'Latin-1': (bytes) => Buffer.from(bytes.toString(), 'latin1'),
  "gzip'd": (bytes) => gzipSync(bytes, { level: 1 }),
  "gzip'd and cut off": (bytes, random) => {
    const packed = gzipSync(bytes, { level: 1 });
    return packed.subarray(0, random.below(packed.length));
  },
  'moved piece': (bytes, random) => {
    const at = random.below(bytes.length + 1);
    const piece = bytes.subarray(at, at + random.below(2_000));
    return insert(bytes, random, piece);
  },
};

function insert(bytes: Buffer, random: Random, piece: Buffer): Buffer {
  const at = random.below(bytes.length + 1);
  return Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at)]);
}
