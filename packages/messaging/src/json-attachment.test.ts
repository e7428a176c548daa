import { packJson, packLines, unpackJson, unpackLines } from './json-attachment';

test.each([
  ['short', 10],
  ['long', 100_000],
])('a %s text arrives as it was sent', async (_name, items) => {
  const value = Array.from({ length: items }, (_, n) => ({ n, text: 'ß漢' }));
  expect(await unpackJson(await packJson(JSON.stringify(value)))).toEqual(value);
});

test('a large text is compressed, a small one is not', async () => {
  const text = JSON.stringify('x'.repeat(1_000_000));
  expect((await packJson(text)).byteLength).toBeLessThan(10_000);
  expect(Buffer.from(await packJson('{"a":1}')).toString()).toBe('{"a":1}');
});

test.each([
  ['any', [{ a: 'ä'.repeat(100_000) }, [], { b: 'line\nbreak' }, 'x'.repeat(70_000), 'end']],
  ['small', [{ a: 1 }, 'end']],
  ['no', []],
])('lines of %s length come back one by one', async (_length, values) => {
  async function* texts(): AsyncGenerator<string> {
    for (const value of values) yield JSON.stringify(value);
  }
  const found: unknown[] = [];
  for await (const value of unpackLines(await packLines(texts()))) found.push(value);
  expect(found).toEqual(values);
});
