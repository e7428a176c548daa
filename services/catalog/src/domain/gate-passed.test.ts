import { asStrictAs } from './gate-passed';

test.each([
  ['critical', ['critical', 'high', 'medium', 'low']],
  ['medium', ['medium', 'low']],
  ['low', ['low']],
] as const)('as strict as %s', (threshold, expected) => {
  expect(asStrictAs(threshold)).toEqual(expected);
});
