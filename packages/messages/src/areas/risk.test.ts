import { reportingDeadlines } from './risk';

const known = {
  exploited_known_at: '2026-10-24T22:30:00.000Z',
  fixed_versions: ['1.0.1'],
  status: 'open',
};

test('CR2 the deadlines are 24 hours, 72 hours and 14 days, whatever clocks change', () => {
  expect(reportingDeadlines(known)).toEqual({
    early_warning: '2026-10-25T22:30:00.000Z',
    notification: '2026-10-27T22:30:00.000Z',
    final_report: '2026-11-07T22:30:00.000Z',
  });
});

test('CR2 no final report is due while no fix is known', () => {
  expect(reportingDeadlines({ ...known, fixed_versions: [] })?.final_report).toBeNull();
});

test.each([
  ['open', true],
  ['fixed', true],
  ['accepted', true],
  ['not_affected', false],
  ['false_positive', false],
])('CR3 of status %s there are deadlines: %s', (status, expected) => {
  expect(reportingDeadlines({ ...known, status }) !== null).toBe(expected);
});

test('CR1 there are none without the knowledge that it is exploited', () => {
  expect(reportingDeadlines({ ...known, exploited_known_at: null })).toBeNull();
});
