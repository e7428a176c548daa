import { notCovered, notEvaluated } from './not-evaluated';

test('a list that is based on feeds says nothing', () => {
  expect(notEvaluated('feed')).toBeNull();
  expect(notCovered({ components: 2, evaluated: 2, undetermined: {} })).toBeNull();
  expect(notCovered(null)).toBeNull();
});

test('what was not evaluated is said', () => {
  expect(notEvaluated('none')).toBe('not evaluated: no advisories are loaded');
  expect(notEvaluated('starter')).toBe(
    'not evaluated: only the starter set of advisories is loaded',
  );
  const undetermined = { no_purl: 2 };
  expect(notCovered({ components: 3, evaluated: 1, undetermined })).toBe(
    'not evaluated: 2 of 3 components',
  );
});
