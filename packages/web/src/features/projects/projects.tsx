import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useMayCreateProjects } from '../../app/own-key';
import { Button } from '../../components/button';
import { ErrorNote } from '../../components/error-note';
import { Field } from '../../components/field';
import { formatNumber } from '../../components/format';
import { Pager } from '../../components/pager';
import { Ago, Empty, Page, PageHead, Skeleton } from '../../components/parts';
import { Table } from '../../components/table';
import { text } from '../../text/en';
import { NewProject } from './new-project';
import { OpenCounts } from './open-counts';
import { projectsPage } from './projects-queries';

/** All projects, each with what is open in it. */
export function Projects() {
  const [page, setPage] = useState(1);
  const [name, setName] = useState('');
  const [creating, setCreating] = useState(false);
  const mayCreate = useMayCreateProjects();
  const { data, error, refetch } = useQuery({
    ...projectsPage(page, name.trim()),
    placeholderData: keepPreviousData,
  });
  return (
    <Page>
      <PageHead
        title={
          data ? text.projects.title(formatNumber(data.total), data.total) : text.projects.loading
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
      <div style={{ maxWidth: 320 }}>
        <Field label={text.projects.filter}>
          {(props) => (
            <input
              {...props}
              type="search"
              value={name}
              onChange={({ target }) => {
                setName(target.value);
                setPage(1);
              }}
            />
          )}
        </Field>
      </div>
      {error && !data ? (
        <ErrorNote error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton lines={10} />
      ) : data.items.length === 0 ? (
        <Empty title={text.projects.empty}>
          {name ? text.projects.emptyFilter : text.projects.emptyWhy}
        </Empty>
      ) : (
        <Table
          label={text.projects.label}
          rows={data.items}
          keyOf={({ id }) => id}
          columns={[
            {
              name: text.projects.columns.name,
              cell: ({ slug, name: full }) => (
                <Link to="/projects/$slug" params={{ slug }}>
                  <b>{full}</b>
                </Link>
              ),
            },
            { name: text.projects.columns.open, cell: ({ id }) => <OpenCounts projectId={id} /> },
            {
              name: text.projects.columns.platform,
              secondary: true,
              cell: ({ platform }) => platform ?? '–',
            },
            {
              name: text.projects.columns.created,
              align: 'right',
              secondary: true,
              cell: ({ created_at }) => <Ago at={created_at} />,
            },
          ]}
        />
      )}
      {data && <Pager page={page} totalPages={data.total_pages} onPage={setPage} />}
      {creating && <NewProject onClose={() => setCreating(false)} />}
    </Page>
  );
}
