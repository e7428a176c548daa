import fc from 'fast-check';
import { splitLines } from './line-splitter';

test('lines come out whole, however the stream is cut', () => {
  const line = fc
    .string({ unit: 'grapheme', maxLength: 20 })
    .map((text) => text.replaceAll('\n', ''));
  fc.assert(
    fc.property(fc.array(line), fc.integer({ min: 1, max: 7 }), (lines, size) => {
      const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(''));
      const seen: string[] = [];
      const feed = splitLines((text) => seen.push(text));
      for (let at = 0; at < bytes.length; at += size) feed(bytes.subarray(at, at + size));
      expect(seen).toEqual(lines.map((text) => Buffer.from(text).toString()));
    }),
  );
});
