import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../../app/own-rights';
import { api, bodyOf, type Schemas } from '../../api/client';
import { Button } from '../../components/button';
import { formatNumber } from '../../components/format';
import { Loaded, LoadedPage } from '../../components/loaded';
import { Pager } from '../../components/pager';
import { Ago, Empty, PageHead, Section, Tag } from '../../components/parts';
import { Table } from '../../components/table';
import { text } from '../../text/en';
import { UploadZone } from '../upload/upload-zone';
import { DecisionRules } from '../vex/decision-rules';
import { VexDocuments } from '../vex/vex-documents';
import { NothingInProject } from './nothing-in-project';
import { nothingIn } from './nothing-open';
import { OpenCounts } from './open-counts';
import { Ownership } from './ownership';
import { ProjectRules } from './project-rules';
import { projectBySlug, projectHistory, serviceChoices } from './projects-queries';
import { ScanTag } from './scan-tag';
import { SeverityCounts } from './severity-counts';
import { VersionTable } from './version-table';
import { VexDownload } from './vex-download';

type Project = Schemas['ProjectResponse'];

/** One project: its services with what is open in each, its SBOMs, and the upload of another one. */
export function ProjectView() {
  const { slug } = useParams({ from: '/projects/$slug' });
  const query = useQuery(projectBySlug(slug));
  const mayUpload = useMay('upload', query.data?.id);
  const mayWrite = useMay('manage', query.data?.id);
  const [rules, setRules] = useState(false);
  return (
    <LoadedPage query={query} lines={10}>
      {(project) => (
        <>
          <PageHead
            crumbs={<Link to="/projects">{text.nav.projects}</Link>}
            title={project.name}
            lead={project.description}
            actions={
              <>
                {mayWrite && (
                  <Button onClick={() => setRules(true)}>{text.projects.rules.open}</Button>
                )}
                <VexDownload scope={{ project_id: project.id }} />
                <Link to="/decisions" search={{ project_id: project.id }}>
                  {text.decisions.link}
                </Link>
                <Link to="/findings" search={{ project_id: project.id }}>
                  {text.projects.itsFindings}
                </Link>
              </>
            }
          />
          <OpenCounts
            scope={{ project_id: project.id }}
            nothing={(data) => <NothingInProject projectId={project.id} data={data} />}
          />
          <Ownership
            name={project.name}
            projectId={project.id}
            own={project}
            read={() =>
              bodyOf(
                api.GET('/api/v1/projects/{project_id}', {
                  params: { path: { project_id: project.id } },
                }),
              )
            }
            save={(body) =>
              bodyOf(
                api.PATCH('/api/v1/projects/{project_id}', {
                  params: { path: { project_id: project.id } },
                  body,
                }),
              )
            }
          />
          <Services project={project} />
          {mayUpload && (
            <Section title={text.upload.title}>
              <UploadZone project={project} />
            </Section>
          )}
          <DecisionRules projectId={project.id} />
          <VexDocuments projectId={project.id} />
          <History projectId={project.id} />
          {rules && <ProjectRules project={project} onClose={() => setRules(false)} />}
        </>
      )}
    </LoadedPage>
  );
}

/** Rows of the table. */
const mostServices = 500;

function Services({ project }: { project: Project }) {
  const query = useQuery(serviceChoices(project.id));
  const count = query.data?.length;
  return (
    <Section
      title={
        count === undefined
          ? text.projects.servicesLoading
          : text.projects.services(formatNumber(count), count)
      }
    >
      <Loaded query={query} lines={4}>
        {(services) =>
          services.length === 0 ? (
            <Empty title={text.projects.noServices}>{text.projects.noServicesWhy}</Empty>
          ) : (
            <ServiceTable project={project} services={services} />
          )
        }
      </Loaded>
    </Section>
  );
}

interface ServiceTableProps {
  project: Project;
  services: readonly Schemas['ServiceResponse'][];
}

function ServiceTable({ project, services }: ServiceTableProps) {
  const { columns } = text.projects;
  return (
    <Table
      label={text.projects.servicesLabel}
      rows={services}
      most={mostServices}
      cutNote={text.projects.moreServices}
      keyOf={({ id }) => id}
      columns={[
        {
          name: columns.service,
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
          name: columns.open,
          cell: ({ id, counts, latest_sbom }) => (
            <SeverityCounts
              counts={counts}
              scope={{ project_id: project.id, service_id: id }}
              nothing={nothingIn(latest_sbom)}
            />
          ),
        },
        {
          name: columns.owner,
          secondary: true,
          cell: ({ owner }) => owner ?? project.owner ?? '–',
        },
        {
          name: columns.newest,
          secondary: true,
          cell: ({ latest_sbom }) =>
            latest_sbom ? (
              <>
                <Link to="/sboms/$sbomId" params={{ sbomId: latest_sbom.id }}>
                  {latest_sbom.version ?? text.panel.sbom}
                </Link>{' '}
                <ScanTag status={latest_sbom.scan_status} />
                {latest_sbom.retained === false && <Tag kind="warn">{text.projects.expired}</Tag>}
              </>
            ) : (
              '–'
            ),
        },
        {
          name: columns.uploaded,
          align: 'right',
          secondary: true,
          cell: ({ latest_sbom }) => (latest_sbom ? <Ago at={latest_sbom.created_at} /> : '–'),
        },
      ]}
    />
  );
}

function History({ projectId }: { projectId: string }) {
  const page = Number(useSearch({ from: '/projects/$slug' }).page ?? 1);
  const navigate = useNavigate({ from: '/projects/$slug' });
  const query = useQuery(projectHistory(projectId, page));
  return (
    <Section title={text.projects.history}>
      <Loaded query={query} lines={6}>
        {({ items, total, total_pages }) =>
          total === 0 ? (
            <Empty title={text.projects.noSboms}>{text.projects.noSbomsWhy}</Empty>
          ) : (
            <>
              <VersionTable versions={items} withService />
              <Pager
                page={page}
                totalPages={total_pages}
                onPage={(next) =>
                  void navigate({ search: { page: String(next) }, resetScroll: false })
                }
              />
            </>
          )
        }
      </Loaded>
    </Section>
  );
}
