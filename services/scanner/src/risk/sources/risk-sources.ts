import { riskFeeds } from '../domain/risk-feed-state';
import { feedOff, publicRiskFeeds, type RiskSource } from './open-risk-file';

/** The risk feeds that are on, by the settings; an empty setting is the public address. */
export function riskSourcesOf(settings: {
  BOMTRAIL_EPSS_SOURCE: string;
  BOMTRAIL_KEV_SOURCE: string;
}): RiskSource[] {
  const configured = { epss: settings.BOMTRAIL_EPSS_SOURCE, kev: settings.BOMTRAIL_KEV_SOURCE };
  return riskFeeds
    .map((feed) => ({
      feed,
      address: configured[feed] || publicRiskFeeds[feed],
      isConfigured: configured[feed] !== '',
    }))
    .filter(({ address }) => address !== feedOff);
}
