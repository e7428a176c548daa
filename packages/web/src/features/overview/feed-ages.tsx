import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../api/client';
import { ErrorNote } from '../../components/error-note';
import { agoInSeconds, formatNumber } from '../../components/format';
import { Empty, Skeleton } from '../../components/parts';
import { text } from '../../text/en';
import { FailedFeeds } from './failed-feeds';
import { worstFirst } from './feed-state';
import { FeedTags } from './feed-tags';
import styles from './overview.module.css';
import { feedsState } from './overview-queries';

/** How old the data are that every answer is based on; the troubled ones first. */
export function FeedAges() {
  const { data, error, refetch } = useQuery(feedsState());
  if (error && !data) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton lines={2} />;
  const feeds = worstFirst(data.feeds.filter(isUsed));
  if (feeds.length === 0)
    return <Empty title={text.overview.noFeeds}>{text.overview.noFeedsWhy}</Empty>;
  return (
    <>
      <FailedFeeds {...data} />
      <ul className={styles.feeds}>
        {feeds.slice(0, 20).map((feed) => (
          <li key={feed.ecosystem}>
            <b>{feed.ecosystem}</b>
            <span>
              {feed.age_seconds === null ? text.feeds.never : agoInSeconds(feed.age_seconds)} ·{' '}
              {text.feeds.records(formatNumber(feed.records))}
            </span>
            <FeedTags feed={feed} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** Loaded, or meant to be: the other ecosystems are in no SBOM. */
function isUsed({ records, last_error, last_success_at }: Schemas['AdvisoryFeed']): boolean {
  return records > 0 || last_error !== null || last_success_at !== null;
}
