import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Schemas } from '../../api/client';
import { text } from '../../text/en';
import { feedState } from '../overview/feed-state';
import { feedsState } from '../overview/overview-queries';

/** Of more than these only the number is said; the list of feeds has the names. */
const mostNamed = 6;

/** Why no loaded advisory has an id: what the feeds lack, or the id. */
export function WhyUnknown() {
  const { data } = useQuery(feedsState());
  const feeds = data?.feeds ?? [];
  const failed = feeds.filter((feed) => feedState(feed) === 'failed');
  const missing = feeds.filter((feed) => feedState(feed) === 'unloaded');
  return (
    <>
      {text.search.unknownWhy}{' '}
      {failed.length > 0 && `${text.search.failedFeeds(failed.length, namesOf(failed))} `}
      {missing.length > 0 && `${text.search.missingFeeds(missing.length, namesOf(missing))} `}
      <Link to="/settings/$section" params={{ section: 'feeds' }}>
        {text.search.toFeeds}
      </Link>
    </>
  );
}

/** undefined: too many to be read in a sentence. */
function namesOf(feeds: readonly Schemas['AdvisoryFeed'][]): string | undefined {
  return feeds.length > mostNamed ? undefined : feeds.map(({ ecosystem }) => ecosystem).join(', ');
}
