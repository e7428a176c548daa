import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { formatDay, formatNumber, formatShare } from '../../components/format';
import { LoadedPage } from '../../components/loaded';
import { Empty, PageHead, Tag } from '../../components/parts';
import parts from '../../components/parts.module.css';
import { SeverityBadge } from '../../components/severity';
import { Table } from '../../components/table';
import { text } from '../../text/en';
import { filtersInWords } from '../findings/active-filters';
import { isOverdue } from '../findings/due';
import type { Finding } from '../findings/findings-queries';
import { chosenSeverities, type FindingsSearch } from '../findings/findings-search';
import { UnknownInList } from '../findings/unknown-in-list';
import { projectById, serviceChoices } from '../projects/projects-queries';
import { Basis, ReportActions } from './report-parts';
import { reportOf, saveAsCsv } from './report-queries';
import styles from './report.module.css';

/** The findings of a view on paper: what was asked, what the answer is based on, all rows. */
export function Report() {
  const search = useSearch({ from: '/findings/report' });
  const queries = useQueryClient();
  const report = useQuery(reportOf(queries, search));
  const scope = useScopeNames(search);
  return (
    <LoadedPage query={report} lines={20}>
      {({ items, total, advisoryData, at }) => (
        <>
          <PageHead
            crumbs={
              <Link to="/findings" search={search}>
                {text.nav.findings}
              </Link>
            }
            title={titleOf(search, total)}
            lead={filterSentence(search, scope)}
            actions={<ReportActions save={() => saveAsCsv(search)} />}
          />
          <Basis at={at} total={total}>
            {text.overview.basis[advisoryData]}
          </Basis>
          {items.length === 0 ? (
            <Empty title={text.findings.empty}>
              <UnknownInList search={search} />
            </Empty>
          ) : (
            <div className={styles.table}>
              <Findings items={items} />
            </div>
          )}
        </>
      )}
    </LoadedPage>
  );
}

/** How many there are, and of which severities if not of all. */
function titleOf(search: FindingsSearch, total: number): string {
  const chosen = chosenSeverities(search);
  const [first] = chosen;
  const shown = formatNumber(total);
  if (first === undefined) return text.findings.title(shown, total);
  const words = chosen.map((one) => text.severity[one].toLowerCase()).join(', ');
  return chosen.length === 1 && first !== 'unknown' && first !== 'none'
    ? text.report.title(shown, total, words)
    : text.report.titleOfSeveral(shown, total, words);
}

/** What the project and the service of a report are called; a report without rows has them from nowhere else. */
function useScopeNames({ project_id, service_id }: FindingsSearch): string[] {
  const project = useQuery({ ...projectById(project_id ?? ''), enabled: !!project_id });
  const services = useQuery({ ...serviceChoices(project_id ?? ''), enabled: !!project_id });
  const service = services.data?.find(({ id }) => id === service_id);
  return [
    ...(project_id ? [project.data?.name ?? text.report.project(project_id)] : []),
    ...(service_id ? [service?.name ?? text.report.service(service_id)] : []),
  ];
}

/** What the report was narrowed to, so that the paper says it without its address. */
function filterSentence(search: FindingsSearch, scope: readonly string[]): string {
  const states = (search.status ?? 'open').split(',');
  const { status } = text;
  const filters = [
    states.map((one) => status[one as keyof typeof status]).join(', '),
    chosenSeverities(search)
      .map((one) => text.severity[one])
      .join(', '),
    ...scope,
    search.q && `“${search.q}”`,
    search.kev === 'true' && text.findings.flags.kev,
    search.has_fix === 'true' && text.findings.flags.has_fix,
    search.is_direct === 'true' && text.findings.flags.is_direct,
    ...filtersInWords(search).map(([, said]) => said),
  ];
  return filters.filter(Boolean).join(' · ');
}

/** The day, for paper: how long ago it was is right only when it is printed. */
function DueDay({ at, status }: { at: string; status: Finding['status'] }) {
  return (
    <span className={parts.nowrap}>
      {formatDay(at)} {isOverdue({ at, status }) && <Tag kind="warn">{text.findings.overdue}</Tag>}
    </span>
  );
}

function Findings({ items }: { items: readonly Finding[] }) {
  const { columns } = text.findings;
  return (
    <Table
      label={text.findings.label}
      rows={items}
      keyOf={({ id }) => id}
      columns={[
        {
          name: columns.severity,
          cell: ({ severity, cvss_score }) => (
            <SeverityBadge severity={severity} score={cvss_score} />
          ),
        },
        {
          name: columns.id,
          cell: ({ cve_id, title, kev }) => (
            <>
              <b>{cve_id}</b> {kev && <Tag kind="bad">{text.findings.kev}</Tag>}
              {title && <div className={styles.title}>{title}</div>}
            </>
          ),
        },
        {
          name: columns.package,
          cell: ({ package_name, package_version, fixed_versions }) =>
            `${package_name} ${package_version} → ${fixed_versions[0] ?? text.findings.noFix}`,
        },
        {
          name: columns.where,
          cell: ({ service_name, project_name }) =>
            `${service_name ?? text.common.projectLevel} · ${project_name}`,
        },
        { name: columns.owner, secondary: true, cell: ({ owner }) => owner ?? '–' },
        {
          name: columns.risk,
          align: 'right',
          secondary: true,
          cell: ({ risk }) => (typeof risk === 'number' ? Math.round(risk) : '–'),
        },
        {
          name: columns.epss,
          align: 'right',
          secondary: true,
          cell: ({ epss_score }) =>
            typeof epss_score === 'number' ? formatShare(epss_score) : '–',
        },
        {
          name: columns.age,
          align: 'right',
          secondary: true,
          cell: ({ first_seen_at }) => (
            <span className={parts.nowrap}>{formatDay(first_seen_at)}</span>
          ),
        },
        {
          name: columns.due,
          cell: ({ due_at, status }) => (due_at ? <DueDay at={due_at} status={status} /> : '–'),
        },
        {
          name: columns.state,
          secondary: true,
          cell: ({ status }) => <span className={parts.nowrap}>{text.status[status]}</span>,
        },
      ]}
    />
  );
}
