import type { Schemas } from '../../api/client';
import { Tag } from '../../components/parts';
import { text } from '../../text/en';
import { troubledFeeds } from './feed-state';
import styles from './overview.module.css';

/** By name, which feeds could not be updated and which are too old; nothing if all is well. */
export function FailedFeeds({ feeds, risk_feeds }: Schemas['AdvisoryFeedsResponse']) {
  const troubled = troubledFeeds(feeds);
  const risk = risk_feeds.filter(({ last_error }) => last_error);
  const failed = [...troubled.failed, ...risk.map(({ feed }) => feed.toUpperCase())];
  const { stale } = troubled;
  return (
    <>
      {failed.length > 0 && (
        <p className={styles.failedFeeds}>
          <Tag kind="bad">{text.feeds.failed}</Tag> {text.feeds.failedNames(failed.join(', '))}
        </p>
      )}
      {stale.length > 0 && (
        <p className={styles.failedFeeds}>
          <Tag kind="warn">{text.feeds.status.feed_stale}</Tag>{' '}
          {text.feeds.staleNames(stale.join(', '))}
        </p>
      )}
    </>
  );
}
