import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { elementTexts, splitArray } from './split-array';

async function* inPieces(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function elementsOf(text: string, size: number): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const element of elementTexts(inPieces(text, size))) found.push(JSON.parse(element));
  return found;
}

test('any array arrives with all its elements, however it is cut', async () => {
  const array = fc.array(
    fc.oneof(fc.jsonValue(), fc.record({ name: fc.string({ unit: 'grapheme' }) })),
  );
  await fc.assert(
    fc.asyncProperty(
      array,
      fc.integer({ min: 1, max: 20 }),
      fc.boolean(),
      async (all, size, isWide) => {
        const text = JSON.stringify(all, null, isWide ? 2 : 0);
        expect(await elementsOf(text, size)).toEqual(JSON.parse(text));
      },
    ),
  );
});

test('an array that is cut off is an error', async () => {
  await expect(elementsOf('[{"a":1},{"a":', 4)).rejects.toThrow('not complete');
});

test('a packed array arrives in groups', async () => {
  const all = Array.from({ length: 2_500 }, (_one, n) => ({ n }));
  const sizes: number[] = [];
  for await (const group of splitArray(gzipSync(JSON.stringify(all)))) sizes.push(group.length);
  expect(sizes).toEqual([1_000, 1_000, 500]);
});
