import type { Schemas } from '../../api/client';
import { Tag } from '../../components/parts';
import { text } from '../../text/en';

/** What is wrong with a feed: its data, its last load, or both; nothing if neither is. */
export function FeedTags({ feed: { data_status, last_error } }: { feed: Schemas['AdvisoryFeed'] }) {
  return (
    <>
      {data_status !== 'feed' && <Tag kind="warn">{text.feeds.status[data_status]}</Tag>}{' '}
      {last_error && <Tag kind="bad">{text.feeds.failed}</Tag>}
    </>
  );
}
