import fc from 'fast-check';
import { decodeFrame, encodeFrame } from './frame';

test('any JSON and any bytes beside it arrive as they were', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.option(fc.uint8Array({ minLength: 1 })), (json, attachment) => {
      const decoded = decodeFrame(encodeFrame({ json, attachment }));
      expect(decoded.json).toEqual(JSON.parse(JSON.stringify(json)));
      expect(decoded.attachment && Uint8Array.from(decoded.attachment)).toEqual(attachment);
    }),
  );
});

test.each([
  ['nothing', Buffer.alloc(0)],
  ['a length without a body', Buffer.from([0, 0, 0, 9, 0x7b])],
  ['no JSON', Buffer.from([0, 0, 0, 1, 0x7b])],
])('%s is no frame', (_what, bytes) => {
  expect(() => decodeFrame(bytes)).toThrow();
});
