import { refuseIfChanged } from './refuse-if-changed';

interface Stored {
  service_levels: Record<string, number | null> | null;
  labels: string[];
  owner: string | null;
}

const before: Stored = {
  service_levels: { critical: 14, high: null },
  labels: ['a', 'b'],
  owner: null,
};
const save = (stored: Stored) => () =>
  refuseIfChanged(before, stored, ['service_levels', 'labels']);

test.each<[string, Stored]>([
  [
    'the same in another form',
    { ...before, service_levels: { high: null, critical: 14, low: null } },
  ],
  ['what is not among the names', { ...before, owner: 'Kim' }],
])('%s is no change', (_, stored) => {
  expect(save(stored)).not.toThrow();
});

test.each<[string, Stored]>([
  ['a limit', { ...before, service_levels: { critical: 7 } }],
  ['all limits', { ...before, service_levels: null }],
  ['a label', { ...before, labels: ['a', 'b', 'c'] }],
])('%s that somebody else has changed is not overwritten', (_, stored) => {
  expect(save(stored)).toThrow('changed elsewhere');
});
