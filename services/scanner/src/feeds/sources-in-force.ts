import { seldom, type Logger } from '@bomtrail/telemetry';
import type { SourceClaimStore } from './store/source-claim-store';

/**
 * Whether the sources of this process are those to poll; called before each poll and once a minute. While processes have
 * different ones, as in a rolling change, those of the process that started last are: else every poll would take back what
 * another one loaded.
 */
export type SourcesInForce = () => Promise<boolean>;

const logEveryMs = 3_600_000;

/** @param sources the configured sources, equal in processes that poll the same */
export function createSourcesInForce(
  { log, claims }: { log: Logger; claims: SourceClaimStore },
  sources: string,
): SourcesInForce {
  const isNews = seldom(logEveryMs);
  let isClaimed = false;
  return async () => {
    if (!isClaimed) {
      await claims.claim(sources);
      isClaimed = true;
      return true;
    }
    const inForce = await claims.confirm(sources);
    if (!inForce && isNews(sources))
      log.warn(
        { sources },
        'This process polls no feeds: one that started later has other sources. Give all scanners the same BOMTRAIL_ADVISORY_SOURCE, BOMTRAIL_CVE_SOURCE, BOMTRAIL_EPSS_SOURCE and BOMTRAIL_KEV_SOURCE.',
      );
    return inForce;
  };
}
