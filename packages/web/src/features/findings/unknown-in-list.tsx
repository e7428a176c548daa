import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { text } from '../../text/en';
import { feedsState } from '../overview/overview-queries';
import { useNewest } from '../projects/nothing-in-project';
import { isDoubtful } from '../projects/nothing-open';
import type { FindingsSearch } from './findings-search';

/** Why an empty list does not mean that there is nothing: data by which it selects, or SBOMs that could not be checked. */
export function UnknownInList({ search }: { search: FindingsSearch }) {
  const { kev, min_epss, project_id, service_id } = search;
  return (
    <>
      {kev === 'true' && <MissingFeed feed="kev" />}
      {min_epss && <MissingFeed feed="epss" />}
      {project_id && <Unchecked projectId={project_id} serviceId={service_id} />}
    </>
  );
}

function MissingFeed({ feed }: { feed: 'kev' | 'epss' }) {
  const { data, isError } = useQuery(feedsState());
  if (isError && !data) return <p>{text.findings.emptyBasisUnknown}</p>;
  const isMissing = data?.risk_feeds.some((one) => one.feed === feed && one.records === 0);
  if (!isMissing) return null;
  return (
    <p>
      {text.findings.emptyWithout[feed]}{' '}
      <Link to="/settings/$section" params={{ section: 'feeds' }}>
        {text.overview.allFeeds}
      </Link>
    </p>
  );
}

function Unchecked(of: { projectId: string; serviceId: string | undefined }) {
  const { newest, isError } = useNewest(of.projectId, of.serviceId);
  if (isError && !newest) return <p>{text.findings.emptyBasisUnknown}</p>;
  return newest && isDoubtful(newest) ? <p>{text.findings.emptyUnchecked}</p> : null;
}
