import fc from 'fast-check';
import { sameValue } from './same-value';

describe('plain data are equal', () => {
  test('exactly when their JSON texts with sorted names are', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 2 }), fc.jsonValue({ maxDepth: 2 }), (a, b) => {
        const copy: unknown = JSON.parse(JSON.stringify(a));
        expect(sameValue(JSON.parse(JSON.stringify(a)), copy)).toBe(true);
        expect(sameValue({ a, b }, { b, a })).toBe(true);
        expect(sameValue([a, b], [a])).toBe(false);
      }),
    );
  });

  test.each([
    [{ a: 1 }, { a: 1, b: undefined }],
    [{ a: undefined }, { b: undefined }],
    [[], {}],
    [{ a: [1, 2] }, { a: [2, 1] }],
    [null, {}],
    ['1', 1],
  ])('%j is not %j', (a, b) => {
    expect(sameValue(a, b)).toBe(false);
    expect(sameValue(b, a)).toBe(false);
  });
});
