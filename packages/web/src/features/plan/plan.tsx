import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { api, bodyOf, type Schemas } from '../../api/client';
import { Button } from '../../components/button';
import { DataNote } from '../../components/data-note';
import { ErrorNote } from '../../components/error-note';
import { formatNumber } from '../../components/format';
import { StaleContent } from '../../components/loaded';
import { Pager } from '../../components/pager';
import { Empty, Page, PageHead, Skeleton, Tag } from '../../components/parts';
import { Table } from '../../components/table';
import { notify } from '../../components/toasts';
import { text } from '../../text/en';
import { vulnerabilitiesKey } from '../findings/findings-queries';
import { UnknownInList } from '../findings/unknown-in-list';
import { ProjectField } from '../projects/project-field';
import type { PlanSearch } from './plan-search';
import { planAsMarkdown, stepsOf } from './plan-text';

function planPage({ project_id, page }: PlanSearch) {
  const query = { page: Number(page ?? 1), per_page: 50, ...(project_id ? { project_id } : {}) };
  return queryOptions({
    queryKey: [...vulnerabilitiesKey, 'plan', query],
    queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/remediations', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
}

/** Which upgrades close most of the risk, as a list of tasks. */
export function Plan() {
  const search = useSearch({ from: '/plan' });
  const navigate = useNavigate({ from: '/plan' });
  const { data, error, refetch, isPlaceholderData: isStale } = useQuery(planPage(search));
  const copy = async ({ items, page, total_pages }: Schemas['RemediationPage']) => {
    try {
      // Without HTTPS there is no clipboard.
      await navigator.clipboard.writeText(planAsMarkdown(items));
    } catch {
      return notify(text.plan.notCopied);
    }
    notify(total_pages > 1 ? text.plan.copiedPage(page, total_pages) : text.plan.copied);
  };
  return (
    <Page>
      <PageHead
        title={data && !isStale ? titleOf(data) : text.plan.loading}
        lead={data && !isStale && <Lead plan={data} />}
        actions={
          data &&
          data.items.length > 0 && (
            <Button unavailable={isStale} onClick={() => void copy(data)}>
              {text.plan.copy}
            </Button>
          )
        }
      />
      <div style={{ maxWidth: 320 }}>
        <ProjectField
          label={text.findings.project}
          value={search.project_id ?? ''}
          empty={text.findings.allProjects}
          onChange={(id) => void navigate({ search: id ? { project_id: id } : {} })}
        />
      </div>
      {error && !data ? (
        <ErrorNote error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton lines={10} />
      ) : (
        <StaleContent isStale={isStale}>
          {data.items.length === 0 ? (
            <Empty title={text.plan.empty}>
              {text.overview.nothingWhy[data.advisory_data]}
              <UnknownInList search={{ project_id: search.project_id }} />
            </Empty>
          ) : (
            <Lines items={data.items} projectId={search.project_id} />
          )}
        </StaleContent>
      )}
      {data && (
        <Pager
          page={data.page}
          totalPages={data.total_pages}
          onPage={(page) => void navigate({ search: { ...search, page: String(page) } })}
        />
      )}
    </Page>
  );
}

function titleOf({ closes, remains }: Schemas['RemediationPage']): string {
  return text.plan.title(formatNumber(closes.total), formatNumber(closes.total + remains.total));
}

function Lead({ plan }: { plan: Schemas['RemediationPage'] }) {
  return (
    <>
      {text.plan.lead(formatNumber(plan.remains.total), plan.remains.total, plan.complete)}{' '}
      <DataNote data={plan.advisory_data} />
    </>
  );
}

interface LinesProps {
  items: readonly Schemas['Remediation'][];
  /** The project that the plan is of. */
  projectId: string | undefined;
}

function Lines({ items, projectId }: LinesProps) {
  const scope = projectId ? { project_id: projectId } : {};
  return (
    <Table
      label={text.plan.label}
      rows={items}
      keyOf={({ ecosystem, package_name }) => `${ecosystem} ${package_name}`}
      columns={[
        {
          name: text.plan.columns.package,
          cell: ({ package_name, is_direct }) => (
            <>
              <b>{package_name}</b>{' '}
              {is_direct && <Tag title={text.sbom.directWhy}>{text.sbom.direct}</Tag>}
            </>
          ),
        },
        { name: text.plan.columns.step, cell: (line) => stepsOf(line) || <NoStep line={line} /> },
        {
          name: text.plan.columns.closes,
          align: 'right',
          cell: ({ closes, package_name }) => (
            <Link to="/findings" search={{ ...scope, package_name }}>
              {formatNumber(closes.total)}
            </Link>
          ),
        },
        {
          name: text.plan.columns.remains,
          align: 'right',
          secondary: true,
          cell: ({ remains }) => formatNumber(remains.total),
        },
        {
          name: text.plan.columns.risk,
          align: 'right',
          cell: ({ closes }) => formatNumber(Math.round(closes.risk)),
        },
        {
          name: text.plan.columns.services,
          secondary: true,
          cell: ({ services, service_count }) => (
            <>
              {services
                .slice(0, 3)
                .map(({ service_name, project_name }) => service_name ?? project_name)
                .join(', ')}
              {service_count > 3 && ` + ${service_count - 3}`}
            </>
          ),
        },
      ]}
    />
  );
}

function NoStep({ line }: { line: Schemas['Remediation'] }) {
  const reason = line.upgrades.find(({ reason: one }) => one !== null)?.reason;
  return <Tag kind="warn">{reason ? text.plan.reasons[reason] : text.findings.noFix}</Tag>;
}
