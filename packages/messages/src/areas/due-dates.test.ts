import { dueAt, dueLimits } from './due-dates';
import type { Severity } from './fields';

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

const now = Date.parse('2026-06-30T12:00:00Z');

test('projects with the same service levels share their limits; those without any have none', () => {
  const limits = dueLimits(
    [
      { service_levels: { critical: 7, high: null }, project_ids: ['a', 'b'] },
      { service_levels: { low: null }, project_ids: ['c'] },
    ],
    now,
  );
  expect(limits).toEqual([
    { project_ids: ['a', 'b'], detected_before: { critical: '2026-06-23T12:00:00.000Z' } },
  ]);
});

test.each<[Severity, string]>([
  ['critical', '2026-06-23T11:59:59.999Z'],
  ['critical', '2026-06-23T12:00:00.000Z'],
  ['critical', '2026-06-23T12:00:00.001Z'],
  ['high', '2020-01-01T00:00:00.000Z'],
])('ST7: %s of %s is before its limit exactly if its due_at is past', (severity, detected_at) => {
  const service_levels = { critical: 7 };
  const [limit] = dueLimits([{ service_levels, project_ids: ['a'] }], now);
  const due = dueAt({ detected_at, severity, status: 'open' }, service_levels);
  const before = limit?.detected_before[severity];
  expect(before !== undefined && detected_at < before).toBe(due !== null && Date.parse(due) < now);
});
