import { useQuery } from '@tanstack/react-query';
import { ErrorNote } from '../../components/error-note';
import { agoInSeconds, formatNumber } from '../../components/format';
import { Empty, Section, Skeleton, Tag } from '../../components/parts';
import { Table } from '../../components/table';
import { text } from '../../text/en';
import { feedsState } from '../overview/overview-queries';

/** The advisory and risk data: where from, how old, what went wrong last. */
export function Feeds() {
  const { data, error, refetch } = useQuery(feedsState());
  if (error && !data) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton lines={8} />;
  const age = (seconds: number | null) =>
    seconds === null ? text.feeds.never : agoInSeconds(seconds);
  return (
    <>
      <Section
        title={text.feeds.advisories}
        aside={<span>{text.feeds.revision(data.revision)}</span>}
      >
        {data.feeds.length === 0 ? (
          <Empty title={text.overview.noFeeds}>{text.overview.noFeedsWhy}</Empty>
        ) : (
          <Table
            label={text.feeds.advisories}
            rows={data.feeds}
            keyOf={({ ecosystem }) => ecosystem}
            columns={[
              { name: text.feeds.columns.ecosystem, cell: ({ ecosystem }) => <b>{ecosystem}</b> },
              {
                name: text.feeds.columns.state,
                cell: ({ data_status }) => (
                  <Tag kind={data_status === 'feed' ? 'good' : 'warn'}>
                    {text.feeds.status[data_status]}
                  </Tag>
                ),
              },
              { name: text.feeds.columns.age, cell: ({ age_seconds }) => age(age_seconds) },
              {
                name: text.feeds.columns.records,
                align: 'right',
                cell: ({ records }) => formatNumber(records),
              },
              {
                name: text.feeds.columns.error,
                secondary: true,
                cell: ({ last_error }) => last_error?.message ?? '–',
              },
            ]}
          />
        )}
      </Section>
      <Section title={text.feeds.risk}>
        <Table
          label={text.feeds.risk}
          rows={data.risk_feeds}
          keyOf={({ feed }) => feed}
          columns={[
            { name: text.feeds.columns.feed, cell: ({ feed }) => <b>{feed.toUpperCase()}</b> },
            {
              name: text.feeds.columns.state,
              cell: ({ enabled, last_error }) => (
                <Tag kind={last_error ? 'bad' : enabled ? 'good' : 'plain'}>
                  {last_error
                    ? text.feeds.failed
                    : enabled
                      ? text.feeds.enabled
                      : text.feeds.disabled}
                </Tag>
              ),
            },
            { name: text.feeds.columns.age, cell: ({ age_seconds }) => age(age_seconds) },
            {
              name: text.feeds.columns.records,
              align: 'right',
              cell: ({ records }) => formatNumber(records),
            },
          ]}
        />
      </Section>
    </>
  );
}
