import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Schemas } from '../../api/client';
import { useSeesAll } from '../../app/own-rights';
import { DataNote } from '../../components/data-note';
import { ErrorNote } from '../../components/error-note';
import { formatNumber } from '../../components/format';
import { Empty, Page, PageHead, Section, Skeleton } from '../../components/parts';
import { SeverityBar } from '../../components/severity';
import { severities } from '../../components/severity-order';
import { text } from '../../text/en';
import { summaryOf } from '../findings/findings-queries';
import { projectsPage } from '../projects/projects-queries';
import { FeedAges } from './feed-ages';
import { isExploitedKnown } from './exploited-known';
import styles from './overview.module.css';
import { feedsState, mostUrgent, wholeUrgent } from './overview-queries';
import { Trend } from './trend';
import { lastWeek } from './last-week';
import { UrgentList } from './urgent-list';

/** What needs action now, and what that answer is based on. */
export function Overview() {
  const summary = useQuery(summaryOf({}));
  const urgent = useQuery(mostUrgent());
  const { items = [], areFew = false } = urgent.data ?? {};
  const whole = useQuery(wholeUrgent(items, areFew));
  const { data: listed = items } = whole;
  if (summary.error && !summary.data) {
    return (
      <Page>
        <ErrorNote error={summary.error} onRetry={() => void summary.refetch()} />
      </Page>
    );
  }
  return (
    <Page>
      <PageHead name={text.nav.overview} title={<Opening />} lead={<Basis />} />
      <Section
        title={text.overview.bySeverity}
        aside={<Link to="/findings">{text.overview.allFindings}</Link>}
      >
        {summary.data ? <Counts counts={summary.data} /> : <Skeleton lines={3} />}
      </Section>
      <Section
        title={text.overview.first}
        aside={
          <Link to="/findings" search={{}}>
            {text.overview.allByRisk}
          </Link>
        }
      >
        {urgent.data ? (
          listed.length > 0 ? (
            <>
              <UrgentList items={listed} />
              {whole.error && !whole.data && (
                <ErrorNote error={whole.error} onRetry={() => void whole.refetch()} />
              )}
            </>
          ) : (
            <NothingUrgent data={urgent.data.advisory_data} />
          )
        ) : urgent.error ? (
          <ErrorNote error={urgent.error} onRetry={() => void urgent.refetch()} />
        ) : (
          <Skeleton lines={8} />
        )}
      </Section>
      <Section
        title={text.overview.data}
        aside={
          <Link to="/settings/$section" params={{ section: 'feeds' }}>
            {text.overview.allFeeds}
          </Link>
        }
      >
        <FeedAges />
      </Section>
      <Section title={text.overview.trend}>
        <Trend />
      </Section>
    </Page>
  );
}

/** Nothing is open, or there is nothing yet in which something could be. */
function NothingUrgent({ data }: { data: Schemas['AdvisoryData'] }) {
  const projects = useQuery(projectsPage({}));
  if (projects.data?.total === 0) {
    return (
      <Empty title={text.projects.empty}>
        <Link to="/projects">{text.projects.emptyWhy}</Link>
      </Empty>
    );
  }
  return <Empty title={text.overview.nothing}>{text.overview.nothingWhy[data]}</Empty>;
}

/**
 * “3 known exploited, 12 new this week, 140 open”: each number leads to what it counts. What has to be counted is
 * asked for after what has not: it would only make the rest wait.
 */
function Opening() {
  const { data: summary } = useQuery(summaryOf({}));
  const { isPending: isListing } = useQuery(mostUrgent());
  const enabled = summary !== undefined && !isListing;
  const exploited = useQuery({ ...summaryOf({ kev: 'true' }), enabled });
  const feeds = useQuery(feedsState());
  const isKnown = isExploitedKnown(exploited.data?.total, feeds.data?.risk_feeds);
  const known = {
    data: isKnown ? exploited.data : undefined,
    isError: exploited.isError || feeds.isError,
  };
  const week = lastWeek(Date.now());
  const fresh = useQuery({ ...summaryOf({ detected_since: week }), enabled });
  const overdue = useQuery({ ...summaryOf({ overdue: 'true' }), enabled });
  if (!summary) return <>{text.overview.loading}</>;
  if (summary.total === 0) return <>{text.overview.noneOpen}</>;
  return (
    <span className={styles.opening}>
      {isKnown === false ? (
        <Link
          to="/settings/$section"
          params={{ section: 'feeds' }}
          title={text.overview.exploitedUnknownWhy}
        >
          {text.overview.exploitedUnknown}
        </Link>
      ) : (
        <Link to="/findings" search={{ kev: 'true' }}>
          {text.overview.exploited(numberOf(known))}
        </Link>
      )}
      {overdue.data?.total !== 0 && (
        <Link to="/findings" search={{ overdue: 'true' }} className={styles.overdue}>
          {text.overview.overdue(numberOf(overdue))}
        </Link>
      )}
      <Link to="/findings" search={{ detected_since: week, sort: 'first_seen_at' }}>
        {text.overview.fresh(numberOf(fresh))}
      </Link>
      <Link to="/findings">{text.overview.open(formatNumber(summary.total))}</Link>
    </span>
  );
}

/** A number, or its place while it is counted; a dash if it could not be. */
function numberOf({ data, isError }: { data?: { total: number } | undefined; isError: boolean }) {
  if (data) return formatNumber(data.total);
  return isError ? '–' : '…';
}

function Basis() {
  const { data } = useQuery(summaryOf({}));
  const seesAll = useSeesAll();
  if (!data) return <>&nbsp;</>;
  return (
    <>
      {text.overview.basis[data.advisory_data]} {!seesAll && text.overview.someProjects}{' '}
      <DataNote data={data.advisory_data} />
    </>
  );
}

function Counts({ counts }: { counts: Record<(typeof severities)[number], number> }) {
  return (
    <div className={styles.counts}>
      <SeverityBar counts={counts} />
      <ul>
        {severities.map((one) => (
          <li key={one}>
            <Link to="/findings" search={{ severity: one }} className={styles.count}>
              <b>{formatNumber(counts[one])}</b>
              <span className={styles[one]}>{text.severity[one]}</span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
