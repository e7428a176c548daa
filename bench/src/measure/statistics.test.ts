import fc from 'fast-check';
import { percentile, spreadOf } from './statistics';

const measured = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 });

describe('percentile', () => {
  test('is the nearest rank', () => {
    const values = [50, 15, 40, 20, 35];
    expect([5, 30, 40, 50, 95, 100].map((percent) => percentile(values, percent))).toEqual([
      15, 20, 20, 35, 50, 50,
    ]);
  });

  test('of 30 values, p95 is the second largest', () => {
    const values = Array.from({ length: 30 }, (_, i) => i + 1);
    expect(percentile(values, 95)).toBe(29);
  });

  test('is a measured value that at least so many values do not exceed, and no smaller one is', () => {
    fc.assert(
      fc.property(measured, fc.integer({ min: 1, max: 100 }), (values, percent) => {
        const result = percentile(values, percent);
        const needed = (percent / 100) * values.length;
        expect(values).toContain(result);
        expect(values.filter((value) => value <= result).length).toBeGreaterThanOrEqual(needed);
        expect(values.filter((value) => value < result).length).toBeLessThan(needed);
      }),
    );
  });

  test('of nothing is an error, not a zero', () => {
    expect(() => percentile([], 50)).toThrow(RangeError);
  });
});

describe('spreadOf', () => {
  test('gives the middle one of three runs, whatever their order', () => {
    expect(spreadOf([9, 100, 7])).toEqual({ min: 7, median: 9, max: 100 });
  });

  test('gives the mean of the middle two of an even number', () => {
    expect(spreadOf([4, 1, 2, 3])).toEqual({ min: 1, median: 2.5, max: 4 });
  });

  test('of nothing is an error', () => {
    expect(() => spreadOf([])).toThrow(RangeError);
  });
});
