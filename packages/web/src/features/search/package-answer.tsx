import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, bodyOf, type Schemas } from '../../api/client';
import { ErrorNote } from '../../components/error-note';
import { formatNumber } from '../../components/format';
import { Skeleton, Tag } from '../../components/parts';
import { Table } from '../../components/table';
import { text } from '../../text/en';
import { doubtsOf, verdictOf } from './answer';
import type { Question } from './question';
import { Verdict } from './verdict';

type PackageQuestion = Extract<Question, { kind: 'purl' | 'package' }>;

function servicesUsing(question: PackageQuestion) {
  const query =
    question.kind === 'purl'
      ? { purl: question.purl }
      : { name: question.name, ...(question.version ? { version: question.version } : {}) };
  return queryOptions({
    queryKey: ['search', 'packages', query],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/v1/search/packages', {
          params: { query: { ...query, per_page: 100 } },
          signal,
        }),
      ),
    retry: false,
  });
}

/** Who uses a package. */
export function PackageAnswer({ question }: { question: PackageQuestion }) {
  const { data, error, refetch } = useQuery(servicesUsing(question));
  if (error) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton lines={5} />;
  const doubts = doubtsOf(data);
  const verdict = verdictOf(data.total, { ...doubts, data: 'feed' });
  const what =
    question.kind === 'purl'
      ? question.purl
      : [question.name, question.version].filter(Boolean).join(' ');
  return (
    <>
      <Verdict
        kind={verdict}
        doubts={doubts}
        title={
          verdict === 'affected'
            ? text.search.used(formatNumber(data.total), data.total, what)
            : verdict === 'clear'
              ? text.search.notUsed(what)
              : text.search.notFound(what)
        }
      />
      {data.items.length > 0 && (
        <Table
          label={text.search.usedLabel}
          rows={data.items}
          keyOf={({ sbom_id }) => sbom_id}
          columns={[
            {
              name: text.findings.columns.where,
              cell: ({ sbom_id, service_name, project_name, version }) => (
                <Link to="/sboms/$sbomId" params={{ sbomId: sbom_id }}>
                  <b>{service_name ?? text.common.projectLevel}</b> {version} · {project_name}
                </Link>
              ),
            },
            {
              name: text.search.package,
              cell: ({ packages }) => <Packages packages={packages} />,
            },
          ]}
        />
      )}
      {data.has_more && <p>{text.search.moreServices(data.items.length, data.total)}</p>}
    </>
  );
}

function Packages({ packages }: { packages: readonly Schemas['ContainedPackage'][] }) {
  return packages.map(({ name, version, purl, affected }) => (
    <div key={purl ?? `${name} ${version}`}>
      <bdi>{name}</bdi> <bdi>{version}</bdi>{' '}
      <Tag kind={affected ? 'bad' : affected === null ? 'warn' : 'good'}>
        {text.search.states[affected === null ? 'unknown' : affected ? 'affected' : 'unaffected']}
      </Tag>
    </div>
  ));
}
