import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../../app/own-rights';
import { Button } from '../../components/button';
import type { Schemas } from '../../api/client';
import { StaleContent, Loaded } from '../../components/loaded';
import { formatNumber } from '../../components/format';
import { Pager } from '../../components/pager';
import { Ago, Empty, Page, PageHead, Tag } from '../../components/parts';
import { Table } from '../../components/table';
import { text } from '../../text/en';
import { NewProject } from './new-project';
import { NothingInProject } from './nothing-in-project';
import { OpenCounts } from './open-counts';
import { openByProject, projectsPage, type OpenByProject } from './projects-queries';
import styles from './projects.module.css';
import { ProjectsFilter, projectFilters } from './projects-filter';
import { parseProjectsSearch, type ProjectsSearch } from './projects-search';
import { SeverityCounts } from './severity-counts';

/** All projects, each with what is open in it. */
export function Projects() {
  const by = useSearch({ from: '/projects' });
  const navigate = useNavigate({ from: '/projects' });
  const [creating, setCreating] = useState(false);
  const mayCreate = useMay('create-project');
  const query = useQuery({ ...projectsPage(by), placeholderData: keepPreviousData });
  const { data, isPlaceholderData: isStale } = query;
  const narrow = (change: ProjectsSearch) => {
    const { page: _first, ...search } = parseProjectsSearch({ ...by, ...change });
    if (projectFilters.every((one) => search[one] === by[one])) return;
    void navigate({ search });
  };
  return (
    <Page>
      <PageHead
        title={
          data && !isStale
            ? text.projects.title(formatNumber(data.total), data.total)
            : text.projects.loading
        }
        lead={text.projects.lead}
        actions={
          mayCreate && (
            <Button kind="primary" onClick={() => setCreating(true)}>
              {text.projects.create}
            </Button>
          )
        }
      />
      <div className={styles.search}>
        <ProjectsFilter by={by} onNarrow={narrow} />
      </div>
      <Loaded query={query} lines={10}>
        {({ items }) => (
          <StaleContent isStale={isStale}>
            {items.length === 0 ? (
              <Empty title={text.projects.empty}>
                {by.name
                  ? text.projects.emptyFilter
                  : by.owner || by.label
                    ? text.projects.emptyOwned
                    : text.projects.emptyWhy}
              </Empty>
            ) : (
              <ProjectTable projects={items} />
            )}
          </StaleContent>
        )}
      </Loaded>
      {data && (
        <Pager
          page={data.page}
          totalPages={data.total_pages}
          onPage={(page) => void navigate({ search: { ...by, page: String(page) } })}
        />
      )}
      {creating && <NewProject onClose={() => setCreating(false)} />}
    </Page>
  );
}

function ProjectTable({ projects }: { projects: readonly Schemas['ProjectResponse'][] }) {
  const { columns } = text.projects;
  const counts = useQuery(openByProject());
  return (
    <Table
      label={text.projects.label}
      rows={projects}
      keyOf={({ id }) => id}
      columns={[
        {
          name: columns.name,
          cell: ({ slug, name }) => (
            <Link to="/projects/$slug" params={{ slug }}>
              <b>{name}</b>
            </Link>
          ),
        },
        {
          name: columns.open,
          cell: ({ id }) =>
            counts.isError && !counts.data ? '–' : <Open id={id} counts={counts.data} />,
        },
        {
          name: columns.owner,
          secondary: true,
          cell: ({ owner }) =>
            owner ? (
              <Link to="/projects" search={{ owner }}>
                {owner}
              </Link>
            ) : (
              '–'
            ),
        },
        {
          name: columns.labels,
          secondary: true,
          cell: ({ labels = [] }) => labels.map((label) => <Tag key={label}>{label}</Tag>),
        },
        {
          name: columns.platform,
          secondary: true,
          cell: ({ platform }) => platform ?? '–',
        },
        {
          name: columns.created,
          align: 'right',
          secondary: true,
          cell: ({ created_at }) => <Ago at={created_at} />,
        },
      ]}
    />
  );
}

/** From one request for all projects; only one that it leaves out is asked for by itself. */
function Open({ id, counts }: { id: string; counts: OpenByProject | undefined }) {
  if (!counts) return <>…</>;
  const scope = { project_id: id };
  const known = counts.of.get(id);
  const nothing = (data: Schemas['AdvisoryData']) => (
    <NothingInProject projectId={id} data={data} />
  );
  if (!known && !counts.all) return <OpenCounts scope={scope} nothing={nothing} />;
  return <SeverityCounts counts={known ?? noCounts} scope={scope} nothing={nothing(counts.data)} />;
}

const noCounts = { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 0 };
