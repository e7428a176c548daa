import { nameOfFacts, tellingKeys, toldKey } from './told';

test('an episode was told by whoever told it, or one of a higher threshold within it', () => {
  const alertPeriod = { vulnerability_id: 'v', alertPeriod: 't1', notified_by: ['t1', 't2'] };
  expect(tellingKeys('r', alertPeriod)).toEqual(['r:v:t1', 'r:v:t2']);
  expect(tellingKeys('r', { ...alertPeriod, notified_by: [] })).toEqual([toldKey('r', 'v', 't1')]);
});

test('the same facts have the same name in whatever order, others another one', () => {
  expect(nameOfFacts(['a', 'b'])).toBe(nameOfFacts(['b', 'a']));
  expect(nameOfFacts(['a', 'b'])).not.toBe(nameOfFacts(['a', 'c']));
  expect(nameOfFacts(['a'])).toMatch(/^[0-9a-f]{32}$/);
});
