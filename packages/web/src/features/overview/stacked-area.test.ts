import { stackedAreas, totalOf } from './stacked-area';

const none = { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 0 };
const box = { width: 100, height: 10 };

test('areas stand on each other, the worst at the bottom, and fill the height at the highest day', () => {
  const days = [
    { ...none, critical: 1, high: 1 },
    { ...none, critical: 2, high: 2 },
  ];
  expect(stackedAreas(days, box)).toEqual([
    { severity: 'critical', path: 'M0,7.5L100,5L100,10L0,10Z' },
    { severity: 'high', path: 'M0,5L100,0L100,5L0,7.5Z' },
  ]);
});

test('what never occurs has no area', () => {
  expect(stackedAreas([none, none], box)).toEqual([]);
  expect(totalOf({ ...none, low: 3, unknown: 2 })).toBe(5);
});
