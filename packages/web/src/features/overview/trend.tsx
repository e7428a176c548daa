import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import { ErrorNote } from '../../components/error-note';
import { formatDay, formatNumber } from '../../components/format';
import { Empty, Skeleton } from '../../components/parts';
import { text } from '../../text/en';
import { dayMs } from './last-week';
import styles from './overview.module.css';
import { stackedAreas, totalOf } from './stacked-area';

const box = { width: 1000, height: 120 };

export function statistics() {
  return queryOptions({
    queryKey: ['statistics'],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/api/v1/statistics', { params: { query: { days: 90 } }, signal })),
    staleTime: 60_000,
  });
}

/** What was open on each of the last 90 days, by severity; the numbers stand below it as text. */
export function Trend() {
  const { data, error, refetch } = useQuery(statistics());
  if (error && !data) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton lines={4} />;
  const { days } = data;
  const [first] = days;
  const last = days.at(-1);
  if (!first || !last) return <Empty title={text.overview.trendNone} />;
  if (days.length < 2) {
    const next = new Date(Date.parse(first.day) + dayMs).toISOString().slice(0, 10);
    return <Empty title={text.overview.trendSoon(formatDay(first.day), formatDay(next))} />;
  }
  const sum = (name: 'opened' | 'fixed') =>
    formatNumber(days.reduce((all, day) => all + totalOf(day[name]), 0));
  return (
    <figure className={styles.trend}>
      <svg viewBox={`0 0 ${box.width} ${box.height}`} preserveAspectRatio="none" aria-hidden="true">
        {stackedAreas(
          days.map(({ open }) => open),
          box,
        ).map(({ severity, path }) => (
          <path key={severity} d={path} className={styles[severity]} />
        ))}
      </svg>
      <figcaption>
        <span>{formatDay(first.day)}</span>
        <span>
          {text.overview.trendSummary(totalOf(first.open), totalOf(last.open), days.length - 1)}{' '}
          {text.overview.moved(sum('opened'), sum('fixed'))}
        </span>
        <span>{formatDay(last.day)}</span>
      </figcaption>
    </figure>
  );
}
