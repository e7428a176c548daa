import { doubtsOf, verdictOf } from './answer';

const sure = { pending_sboms: 0, failed_sboms: 0, advisory_data: 'feed' as const, complete: true };

test.each([
  ['clear', 0, sure],
  ['affected', 1, { ...sure, pending_sboms: 3 }],
  ['doubtful', 0, { ...sure, pending_sboms: 1 }],
  ['doubtful', 0, { ...sure, failed_sboms: 1 }],
  ['doubtful', 0, { ...sure, complete: false }],
  ['doubtful', 0, { ...sure, advisory_data: 'none' as const }],
  ['doubtful', 0, { ...sure, advisory_data: 'starter' as const }],
])('%s: %i found of %j', (verdict, total, answer) =>
  expect(verdictOf(total, doubtsOf(answer))).toBe(verdict),
);
