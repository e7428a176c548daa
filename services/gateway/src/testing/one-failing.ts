import type * as messages from '@bomtrail/messages';
import { noCounts } from './fake-data';

const oneHigh = { ...noCounts, high: 1 };
/** One finding, which is new and fails a gate. */
export const oneFailing: messages.FindingCounts = {
  counts: oneHigh,
  new_counts: oneHigh,
  accepted: 0,
  decided: { risk_accepted: 0, not_affected: 0, false_positive: 0, in_triage: 0 },
  failing: 1,
  failing_by_rule: { fail_on: 1, fail_on_kev: 0, max_epss: 0 },
  revision: 1,
  untracked: 0,
};
