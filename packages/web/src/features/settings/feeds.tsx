import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../api/client';
import { ErrorNote } from '../../components/error-note';
import { formatNumber } from '../../components/format';
import { Ago, Empty, Section, Skeleton, Tag } from '../../components/parts';
import { Table } from '../../components/table';
import { text } from '../../text/en';
import { FailedFeeds } from '../overview/failed-feeds';
import { countFeeds, feedState, worstFirst } from '../overview/feed-state';
import { FeedTags } from '../overview/feed-tags';
import { feedsState } from '../overview/overview-queries';
import { RiskFeeds } from './risk-feeds';
import styles from './settings.module.css';

type Feed = Schemas['AdvisoryFeed'];

/** The advisory and risk data: where from, how old, what went wrong last. */
export function Feeds() {
  const { data, error, refetch } = useQuery(feedsState());
  if (error && !data) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton lines={8} />;
  const ordered = worstFirst(data.feeds);
  const unloaded = ordered.filter((feed) => feedState(feed) === 'unloaded');
  const used = ordered.filter((feed) => feedState(feed) !== 'unloaded');
  return (
    <>
      <div className={styles.summary}>
        <p>{text.feeds.summary(countFeeds(data.feeds))}</p>
        <FailedFeeds {...data} />
      </div>
      <Section
        title={text.feeds.advisories}
        aside={<span>{text.feeds.revision(formatNumber(data.revision))}</span>}
      >
        {used.length === 0 ? (
          <Empty title={text.feeds.noneLoaded}>{text.overview.noFeedsWhy}</Empty>
        ) : (
          <AdvisoryFeeds feeds={used} />
        )}
        {unloaded.length > 0 && (
          <details className={styles.unloaded}>
            <summary>{text.feeds.unloaded(unloaded.length)}</summary>
            <p>{text.overview.noFeedsWhy}</p>
            <p>{unloaded.map(({ ecosystem }) => ecosystem).join(', ')}</p>
          </details>
        )}
      </Section>
      <RiskFeeds feeds={data.risk_feeds} />
    </>
  );
}

function AdvisoryFeeds({ feeds }: { feeds: readonly Feed[] }) {
  return (
    <Table
      label={text.feeds.advisories}
      rows={feeds}
      keyOf={({ ecosystem }) => ecosystem}
      columns={[
        { name: text.feeds.columns.ecosystem, cell: ({ ecosystem }) => <b>{ecosystem}</b> },
        {
          name: text.feeds.columns.state,
          cell: (feed) =>
            feedState(feed) === 'loaded' ? (
              <Tag kind="good">{text.feeds.status.feed}</Tag>
            ) : (
              <FeedTags feed={feed} />
            ),
        },
        {
          name: text.feeds.columns.success,
          cell: ({ last_success_at: at }) => (at ? <Ago at={at} /> : text.feeds.never),
        },
        {
          name: text.feeds.columns.asOf,
          secondary: true,
          cell: ({ as_of }) => (as_of ? <Ago at={as_of} /> : '–'),
        },
        {
          name: text.feeds.columns.records,
          align: 'right',
          cell: ({ records }) => formatNumber(records),
        },
        {
          name: text.feeds.columns.error,
          cell: ({ last_error }) =>
            last_error ? (
              <>
                {last_error.message} {last_error.at && <Ago at={last_error.at} />}
              </>
            ) : (
              '–'
            ),
        },
      ]}
    />
  );
}
