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
