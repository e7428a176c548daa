import { dueAt } from './due-at';

const found = {
  detected_at: '2026-03-02T09:00:00.000Z',
  severity: 'high',
  status: 'open',
} as const;

test.each([
  ['so many days after its detection', found, { high: 7 }, '2026-03-09T09:00:00.000Z'],
  [
    'also while it is accepted',
    { ...found, status: 'accepted' },
    { high: 1 },
    '2026-03-03T09:00:00.000Z',
  ],
  ['never without a level for its severity', found, { critical: 7, high: null }, null],
  ['never in a project without service levels', found, undefined, null],
  ['never if its detection is not known', { ...found, detected_at: null }, { high: 7 }, null],
  ['never once it is fixed', { ...found, status: 'fixed' }, { high: 7 }, null],
] as const)('ST7 a vulnerability is due %s', (...[, vulnerability, levels, expected]) => {
  expect(dueAt(vulnerability, levels)).toBe(expected);
});
