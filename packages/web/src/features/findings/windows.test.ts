import fc from 'fast-check';
import { placeOf, windowsOf, windowSize } from './windows';

test('the windows of rows are those that hold them, and no others', () => {
  expect(windowsOf(0, 0)).toEqual([1]);
  expect(windowsOf(0, windowSize - 1)).toEqual([1]);
  expect(windowsOf(windowSize - 1, windowSize)).toEqual([1, 2]);
  expect(windowsOf(-5, 20)).toEqual([1]);
  fc.assert(
    fc.property(fc.nat(900_000), fc.nat(400), (first, more) => {
      const windows = windowsOf(first, first + more);
      expect(windows[0]).toBe(placeOf(first).window);
      expect(windows.at(-1)).toBe(placeOf(first + more).window);
      expect(windows).toHaveLength(windows.at(-1)! - windows[0]! + 1);
    }),
  );
});

test('a row is at one place of one window', () => {
  fc.assert(
    fc.property(fc.nat(900_000), (row) => {
      const { window, at } = placeOf(row);
      expect((window - 1) * windowSize + at).toBe(row);
    }),
  );
});
