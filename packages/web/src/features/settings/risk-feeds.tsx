import type { Schemas } from '../../api/client';
import { formatNumber } from '../../components/format';
import { Ago, Section, Tag } from '../../components/parts';
import { Table } from '../../components/table';
import { text } from '../../text/en';

/** How likely an exploitation is, and what is exploited: where from and how old. */
export function RiskFeeds({ feeds }: { feeds: readonly Schemas['RiskFeed'][] }) {
  return (
    <Section title={text.feeds.risk}>
      <Table
        label={text.feeds.risk}
        rows={feeds}
        keyOf={({ feed }) => feed}
        columns={[
          {
            name: text.feeds.columns.feed,
            cell: ({ feed }) => (
              <>
                <b>{feed.toUpperCase()}</b> {text.feeds.riskFeeds[feed]}
              </>
            ),
          },
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
          {
            name: text.feeds.columns.success,
            cell: ({ last_success_at: at }) => (at ? <Ago at={at} /> : text.feeds.never),
          },
          {
            name: text.feeds.columns.records,
            align: 'right',
            cell: ({ records }) => formatNumber(records),
          },
          {
            name: text.feeds.columns.error,
            cell: ({ last_error }) => last_error?.message ?? '–',
          },
        ]}
      />
    </Section>
  );
}
