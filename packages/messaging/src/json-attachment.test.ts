import { packJson, unpackJson } from './json-attachment';

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
