import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../../app/own-key';
import type { Schemas } from '../../api/client';
import { ErrorNote } from '../../components/error-note';
import { formatNumber } from '../../components/format';
import { Pager } from '../../components/pager';
import { Ago, Empty, Page, PageHead, Section, Skeleton } from '../../components/parts';
import { Table } from '../../components/table';
import { text } from '../../text/en';
import { OpenCounts } from './open-counts';
import { projectBySlug, projectHistory, serviceChoices } from './projects-queries';
import { Upload } from './upload';

/** One project: its services with what is open in each, its SBOMs, and the upload of another one. */
export function ProjectView() {
  const { slug } = useParams({ from: '/projects/$slug' });
  const { data: project, error, refetch } = useQuery(projectBySlug(slug));
  const mayUpload = useMay('upload');
  if (error && !project) {
    return (
      <Page>
        <ErrorNote error={error} onRetry={() => void refetch()} />
      </Page>
    );
  }
  if (!project) {
    return (
      <Page>
        <Skeleton lines={10} />
      </Page>
    );
  }
  return (
    <Page>
      <PageHead
        crumbs={<Link to="/projects">{text.nav.projects}</Link>}
        title={project.name}
        lead={project.description}
        actions={
          <Link to="/findings" search={{ project_id: project.id }}>
            {text.projects.itsFindings}
          </Link>
        }
      />
      <OpenCounts projectId={project.id} />
      <Services project={project} />
      {mayUpload && (
        <Section title={text.upload.title}>
          <Upload project={project} />
        </Section>
      )}
      <History projectId={project.id} />
    </Page>
  );
}

function Services({ project }: { project: Schemas['ProjectResponse'] }) {
  const { data } = useQuery(serviceChoices(project.id));
  return (
    <Section
      title={
        data
          ? text.projects.services(formatNumber(data.length), data.length)
          : text.projects.servicesLoading
      }
    >
      {!data ? (
        <Skeleton lines={4} />
      ) : data.length === 0 ? (
        <Empty title={text.projects.noServices}>{text.projects.noServicesWhy}</Empty>
      ) : (
        <Table
          label={text.projects.servicesLabel}
          rows={data.slice(0, 500)}
          keyOf={({ id }) => id}
          columns={[
            {
              name: text.projects.columns.service,
              cell: ({ id, name }) => (
                <Link
                  to="/projects/$slug/services/$serviceId"
                  params={{ slug: project.slug, serviceId: id }}
                >
                  <b>{name}</b>
                </Link>
              ),
            },
            {
              name: text.projects.columns.open,
              cell: ({ id }) => <OpenCounts projectId={project.id} serviceId={id} />,
            },
          ]}
        />
      )}
    </Section>
  );
}

function History({ projectId }: { projectId: string }) {
  const [page, setPage] = useState(1);
  const { data, error } = useQuery(projectHistory(projectId, page));
  if (error) return <ErrorNote error={error} />;
  return (
    <Section title={text.projects.history}>
      {!data ? (
        <Skeleton lines={6} />
      ) : data.items.length === 0 ? (
        <Empty title={text.projects.noSboms}>{text.projects.noSbomsWhy}</Empty>
      ) : (
        <>
          <Table
            label={text.projects.history}
            rows={data.items}
            keyOf={({ id }) => id}
            columns={[
              {
                name: text.projects.columns.version,
                cell: ({ id, version }) => (
                  <Link to="/sboms/$sbomId" params={{ sbomId: id }}>
                    <b>{version ?? text.panel.sbom}</b>
                  </Link>
                ),
              },
              {
                name: text.projects.columns.format,
                secondary: true,
                cell: ({ format }) => format ?? '–',
              },
              {
                name: text.projects.columns.dependencies,
                align: 'right',
                cell: ({ dependency_count }) =>
                  dependency_count === null ? '–' : formatNumber(dependency_count),
              },
              {
                name: text.projects.columns.uploaded,
                align: 'right',
                cell: ({ created_at }) => (created_at ? <Ago at={created_at} /> : '–'),
              },
            ]}
          />
          <Pager page={page} totalPages={data.total_pages} onPage={setPage} />
        </>
      )}
    </Section>
  );
}
