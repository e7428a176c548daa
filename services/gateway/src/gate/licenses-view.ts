import type { LicenseJudgement } from '@bomtrail/messages';
import type { LicenseResult } from './judge-licenses';

/** The contract's `licenses` of a verdict; null without the rule or without a policy. */
export function licensesView(licenses: LicenseResult | null): LicenseJudgement | null {
  return licenses === 'no_policy' ? null : licenses;
}
