import type { ApiClient } from '@bomtrail/api-client';

/**
 * Says which of these risk feeds have no values: a list that selects by them is empty then, whatever is exploited.
 *
 * @returns `no values of KEV are loaded`; null if all have values
 */
export async function missingRiskFeeds(
  api: Pick<ApiClient, 'advisoryFeeds'>,
  needed: readonly ('epss' | 'kev')[],
): Promise<string | null> {
  if (needed.length === 0) return null;
  const { risk_feeds } = await api.advisoryFeeds();
  const missing = risk_feeds.filter(({ feed, records }) => needed.includes(feed) && records === 0);
  if (missing.length === 0) return null;
  return `no values of ${missing.map(({ feed }) => feed.toUpperCase()).join(' and ')} are loaded`;
}
