import type { Outcome } from '../context';
import { EXIT } from '../exit-codes';
import { missingRiskFeeds } from './missing-risk-feeds';
import { unscannedSbom } from './unscanned-sbom';

type Api = Parameters<typeof missingRiskFeeds>[0] & Parameters<typeof unscannedSbom>[0];

/**
 * Says why a list may lack vulnerabilities, and an empty one does not mean that there is nothing: no advisory feed is
 * loaded, a risk feed by which it selects has no values, or there is no SBOM, or a newest one is not scanned or has no
 * content that could be evaluated.
 *
 * @returns null if nothing is in doubt
 */
export async function doubtOfList(
  api: Api,
  list: {
    advisory_data: string;
    scope: Parameters<typeof unscannedSbom>[1];
    riskFeeds?: Parameters<typeof missingRiskFeeds>[1];
  },
): Promise<string | null> {
  const { advisory_data, scope, riskFeeds = [] } = list;
  if (advisory_data !== 'feed') return 'no advisory feed is loaded';
  return (await missingRiskFeeds(api, riskFeeds)) ?? unscannedSbom(api, scope);
}

/**
 * The outcome of a list, which is undecided if it is empty and in doubt.
 *
 * @param list `text`: what it has. `doubt`: why items may be missing; null: none are. `suffix`: the end of the line
 */
export function outcomeOfList(list: {
  total: number;
  text: string;
  doubt: string | null;
  suffix?: string;
}): Outcome {
  const { total, text, doubt, suffix = '' } = list;
  const line = `${text}${doubt === null ? '' : `, but ${doubt}`}${suffix}`;
  return doubt !== null && total === 0
    ? { exitCode: EXIT.undecided, line: `UNDECIDED ${line}` }
    : { exitCode: EXIT.pass, line: `LISTED ${line}` };
}
