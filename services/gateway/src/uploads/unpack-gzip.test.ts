import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { spliceJson } from '../shared/splice-json';
import { unpackGzip } from './unpack-gzip';

/** Sends bytes in pieces of this size. */
function inPieces(bytes: Buffer, size: number): Readable {
  const count = Math.ceil(bytes.length / size);
  return Readable.from(
    Array.from({ length: count }, (_, at) => bytes.subarray(at * size, (at + 1) * size)),
  );
}

const unpacked = async (bytes: Buffer, size: number) =>
  buffer(Readable.from(unpackGzip(inPieces(bytes, size))));

describe('What begins like gzip is unpacked, anything else stays as it is', () => {
  test('whatever the bytes and wherever they are cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 300 }),
        fc.integer({ min: 1, max: 7 }),
        async (given, size) => {
          const bytes = Buffer.from(given);
          fc.pre(!(bytes[0] === 0x1f && bytes[1] === 0x8b));
          expect((await unpacked(bytes, size)).equals(bytes)).toBe(true);
          expect((await unpacked(gzipSync(bytes), size)).equals(bytes)).toBe(true);
        },
      ),
    );
  });

  test('a single byte of the two is no gzip', async () => {
    expect(await unpacked(Buffer.from([0x1f]), 1)).toEqual(Buffer.from([0x1f]));
  });

  test.each([
    ['cut off', gzipSync(Buffer.from('x'.repeat(1000))).subarray(0, 20)],
    ['broken', Buffer.concat([Buffer.from([0x1f, 0x8b]), Buffer.alloc(30, 7)])],
  ])('gzip data that are %s are an error', async (_how, bytes) => {
    await expect(unpacked(bytes, 8)).rejects.toMatchObject({ code: 'malformed_body' });
  });
});

describe('A spliced object', () => {
  const text = async (head: object, fields: Parameters<typeof spliceJson>[1]) =>
    (await buffer(spliceJson(head, fields))).toString();

  test('is the object that would come of parsing and writing it all', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(
          fc.string().filter((name) => name !== '__proto__'),
          fc.jsonValue(),
        ),
        fc.array(fc.jsonValue()),
        async (head, list) => {
          const packed = gzipSync(JSON.stringify(list));
          const fields = [
            { name: ' list', packed },
            { name: ' empty', packed: null },
          ];
          const expected = { ...head, ' list': list, ' empty': [] };
          expect(JSON.parse(await text(head, fields))).toEqual(
            JSON.parse(JSON.stringify(expected)),
          );
        },
      ),
    );
  });

  test('passes packed values on byte for byte', async () => {
    const packed = gzipSync('[ {"n":1.50} ]');
    expect(await text({ a: 1 }, [{ name: 'b', packed }])).toBe('{"a":1,"b":[ {"n":1.50} ]}');
  });

  test('has its fields in order, whatever their sizes', async () => {
    const values = { a: [1], b: Array.from({ length: 100_000 }, (_, n) => n), c: [3] };
    const fields = Object.entries(values).map(([name, value]) => {
      return { name, packed: gzipSync(JSON.stringify(value)) };
    });
    expect(await text({}, fields)).toBe(JSON.stringify(values));
  });

  test('ends in an error when a packed value is broken, never as if it were whole', async () => {
    const whole = gzipSync(JSON.stringify('x'.repeat(1000)));
    const damaged = Buffer.from(whole).fill(0xff, 12, 20);
    for (const packed of [whole.subarray(0, 25), damaged])
      await expect(text({ a: 1 }, [{ name: 'b', packed }])).rejects.toMatchObject({
        code: 'malformed_body',
      });
  });
});
