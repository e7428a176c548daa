import { coverageView } from './coverage-view';

test.each([
  [{ components: 0, evaluated: 0, undetermined: {} }, 'empty'],
  [{ components: 5, evaluated: 0, undetermined: { no_purl: 5 } }, 'none'],
  [{ components: 5, evaluated: 1, undetermined: { no_purl: 4 } }, 'part'],
  [{ components: 5, evaluated: 5, undetermined: {} }, 'all'],
  [{ components: 1, evaluated: 1, undetermined: {}, roots: 1, evaluated_roots: 1 }, 'empty'],
  [{ components: 1, evaluated: 0, undetermined: { x: 1 }, roots: 1, evaluated_roots: 0 }, 'empty'],
  [{ components: 2, evaluated: 1, undetermined: { x: 1 }, roots: 1, evaluated_roots: 1 }, 'none'],
  [{ components: 2, evaluated: 1, undetermined: { x: 1 }, roots: 1, evaluated_roots: 0 }, 'part'],
  [{ components: 2, evaluated: 2, undetermined: {}, roots: 1, evaluated_roots: 1 }, 'all'],
])('of %j is said: %s', (coverage, scope) => {
  expect(coverageView(coverage)).toEqual({ ...coverage, scope });
});

test('nothing is said of a document that was not judged yet', () => {
  expect(coverageView(null)).toBeNull();
});
