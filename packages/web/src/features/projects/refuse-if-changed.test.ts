import { refuseIfChanged } from './refuse-if-changed';

const before = { service_levels: { critical: 14, high: null }, labels: ['a', 'b'], owner: null };

test.each([
  [
    'the same in another form',
    { ...before, service_levels: { high: null, critical: 14, low: null } },
  ],
  ['what is not among the names', { ...before, owner: 'Kim' }],
])('%s is no change', (_, stored) => {
  expect(() =>
    refuseIfChanged<object>(before, stored, ['service_levels', 'labels'] as never[]),
  ).not.toThrow();
});

test.each([
  ['a limit', { ...before, service_levels: { critical: 7 } }],
  ['all limits', { ...before, service_levels: null }],
  ['a label', { ...before, labels: ['a', 'b', 'c'] }],
])('%s that somebody else has changed is not overwritten', (_, stored) => {
  expect(() =>
    refuseIfChanged<object>(before, stored, ['service_levels', 'labels'] as never[]),
  ).toThrow('changed elsewhere');
});
