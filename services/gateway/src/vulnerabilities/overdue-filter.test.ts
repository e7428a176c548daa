import type { Severity } from '@bomtrail/messages';
import { dueAt } from '../shared/due-at';
import { dueLimits } from './overdue-filter';

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
