import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, bodyOf, type Schemas } from '../../api/client';
import { ErrorNote } from '../../components/error-note';
import { formatNumber } from '../../components/format';
import { Skeleton } from '../../components/parts';
import { Table } from '../../components/table';
import { text } from '../../text/en';
import type { Question } from './question';
import { Verdict } from './verdict';

type LicenceQuestion = Extract<Question, { kind: 'licence' | 'licence-group' }>;

function servicesLicensed(question: LicenceQuestion) {
  const query =
    question.kind === 'licence' ? { license: question.license } : { group: question.group };
  return queryOptions({
    queryKey: ['search', 'licenses', query],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/v1/search/licenses', {
          params: { query: { ...query, per_page: 100 } },
          signal,
        }),
      ),
    retry: false,
  });
}

/** Who ships components with a licence, or of a group. */
export function LicenceAnswer({ question }: { question: LicenceQuestion }) {
  const { data, error, refetch } = useQuery(servicesLicensed(question));
  if (error) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton lines={5} />;
  const what =
    question.kind === 'licence' ? question.license : text.licences.groups[question.group];
  const isUnknown = question.kind === 'licence-group' && question.group === 'unknown';
  const { total, complete } = data;
  return (
    <>
      <Verdict
        kind={total > 0 ? 'affected' : complete ? 'clear' : 'doubtful'}
        doubts={{ unscanned: 0, data: 'feed', incomplete: !complete }}
        title={
          total > 0
            ? isUnknown
              ? text.search.unknownLicence(formatNumber(total), total)
              : text.search.ships(formatNumber(total), total, what)
            : complete
              ? isUnknown
                ? text.search.unknownLicenceNobody
                : text.search.shipsNobody(what)
              : text.search.notFound(what)
        }
      />
      {data.items.length > 0 && (
        <Table
          label={text.search.shipsLabel}
          rows={data.items}
          keyOf={({ sbom_id }) => sbom_id}
          columns={[
            {
              name: text.findings.columns.where,
              cell: ({ sbom_id, service_name, project_name, version }) => (
                <Link to="/sboms/$sbomId" params={{ sbomId: sbom_id }} search={{ tab: 'licences' }}>
                  <b>{service_name ?? text.common.projectLevel}</b> {version} · {project_name}
                </Link>
              ),
            },
            {
              name: text.licences.columns.components,
              align: 'right',
              cell: ({ components }) => formatNumber(components),
            },
            {
              name: text.licences.columns.example,
              cell: ({ first_components, components }) => (
                <Components components={first_components} all={components} />
              ),
            },
          ]}
        />
      )}
      {data.has_more && <p>{text.search.moreServices(data.items.length, total)}</p>}
    </>
  );
}

interface ComponentsProps {
  components: readonly Schemas['LicensedComponent'][];
  all: number;
}

function Components({ components, all }: ComponentsProps) {
  const left = all - components.length;
  return (
    <>
      {components.map(({ name, version, purl, license }) => (
        <div key={purl ?? `${name} ${version}`}>
          <bdi>{name}</bdi> <bdi>{version}</bdi> {license !== null && <small>{license}</small>}
        </div>
      ))}
      {left > 0 && <div>{text.search.moreComponents(formatNumber(left))}</div>}
    </>
  );
}
