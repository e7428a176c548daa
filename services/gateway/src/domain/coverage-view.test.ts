import { coverageView } from './coverage-view';

test.each([
  [{ components: 0, evaluated: 0, undetermined: {} }, 'empty'],
  [{ components: 5, evaluated: 0, undetermined: { no_purl: 5 } }, 'none'],
  [{ components: 5, evaluated: 1, undetermined: { no_purl: 4 } }, 'part'],
  [{ components: 5, evaluated: 5, undetermined: {} }, 'all'],
])('of %j is said: %s', (coverage, extent) => {
  expect(coverageView(coverage)).toEqual({ ...coverage, extent });
});

test('nothing is said of a document that was not judged yet', () => {
  expect(coverageView(null)).toBeNull();
});
