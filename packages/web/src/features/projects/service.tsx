import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { api, bodyOf, type Schemas } from '../../api/client';
import { ApiError } from '../../api/errors';
import { ErrorNote } from '../../components/error-note';
import { Loaded, LoadedPage } from '../../components/loaded';
import { Pager } from '../../components/pager';
import { Empty, PageHead, Section, Tag } from '../../components/parts';
import { text } from '../../text/en';
import { CompareVersions } from './compare-versions';
import { Gate } from './gate';
import { nothingBy, nothingIn } from './nothing-open';
import { OpenCounts } from './open-counts';
import { Ownership } from './ownership';
import { ScanTag } from './scan-tag';
import { projectBySlug, serviceChoices } from './projects-queries';
import styles from './projects.module.css';
import { serviceChanges, serviceVersions } from './service-queries';
import { VersionTable } from './version-table';
import { VersionTimeline } from './version-timeline';
import { VexDownload } from './vex-download';

type Project = Schemas['ProjectResponse'];
type Service = Schemas['ServiceResponse'];

/** One service: what is open, and which of its versions opened and fixed what. */
export function ServiceView() {
  const { slug, serviceId } = useParams({ from: '/projects/$slug/services/$serviceId' });
  const project = useQuery(projectBySlug(slug));
  return (
    <LoadedPage query={project} lines={12}>
      {(known) => <ServiceParts key={serviceId} project={known} serviceId={serviceId} />}
    </LoadedPage>
  );
}

function ServiceParts({ project, serviceId }: { project: Project; serviceId: string }) {
  const queries = useQueryClient();
  // A service may be newer than the list that was read last.
  const services = useQuery({ ...serviceChoices(project.id), refetchOnMount: 'always' });
  const service = services.data?.find(({ id }) => id === serviceId);
  const scope = { project_id: project.id, service_id: serviceId };
  if (services.isFetchedAfterMount && services.isSuccess && !service) {
    const gone = { status: 404, code: 'service_not_found' };
    return <ErrorNote error={new ApiError(text.projects.unknownService(project.name), gone)} />;
  }
  const isUnread = services.isError && !services.data;
  const unread = isUnread ? '–' : '…';
  return (
    <>
      <PageHead
        crumbs={
          <Link to="/projects/$slug" params={{ slug: project.slug }}>
            {project.name}
          </Link>
        }
        title={service?.name ?? text.projects.service}
        lead={
          <OpenCounts
            scope={scope}
            nothing={(data) => (service ? nothingIn(service.latest_sbom, nothingBy(data)) : unread)}
          />
        }
        actions={
          <>
            <VexDownload scope={scope} />
            <Link to="/findings" search={scope}>
              {text.projects.itsFindings}
            </Link>
          </>
        }
      />
      {isUnread && <ErrorNote error={services.error} onRetry={() => void services.refetch()} />}
      {service && (
        <Ownership
          name={service.name}
          projectId={project.id}
          own={service}
          inherited={project}
          read={async () => {
            const now = await queries.fetchQuery({ ...serviceChoices(project.id), staleTime: 0 });
            return now.find(({ id }) => id === serviceId) ?? service;
          }}
          save={(body) =>
            bodyOf(
              api.PATCH('/api/v1/services/{service_id}', {
                params: { path: { service_id: serviceId } },
                body,
              }),
            )
          }
        />
      )}
      {service?.latest_sbom && <NewestUnscanned newest={service.latest_sbom} />}
      {service?.latest_sbom && (
        <Gate sbomId={service.latest_sbom.id} projectId={project.id} serviceId={serviceId} />
      )}
      <Versions projectId={project.id} serviceId={serviceId} />
    </>
  );
}

/** Says that the open counts are not of the newest SBOM, or of one that nobody checks any more. */
function NewestUnscanned({ newest }: { newest: NonNullable<Service['latest_sbom']> }) {
  const { id, version, scan_status = 'scanned', retained } = newest;
  const isDropped = retained === false;
  if (scan_status === 'scanned' && !isDropped) return null;
  return (
    <p role={scan_status === 'failed' ? 'alert' : 'status'}>
      <ScanTag status={scan_status} />
      {isDropped && <Tag kind="warn">{text.projects.expired}</Tag>}{' '}
      <Link to="/sboms/$sbomId" params={{ sbomId: id }}>
        {version ?? text.panel.sbom}
      </Link>
      {isDropped ? text.projects.countsOfExpired : text.projects.countsOfEarlier}
    </p>
  );
}

function Versions(scope: { projectId: string; serviceId: string }) {
  const queries = useQueryClient();
  const page = Number(useSearch({ from: '/projects/$slug/services/$serviceId' }).page ?? 1);
  const navigate = useNavigate({ from: '/projects/$slug/services/$serviceId' });
  const versions = useQuery(serviceVersions(scope, page));
  const changes = useQuery(serviceChanges(queries, scope.serviceId));
  return (
    <Loaded query={versions} lines={10}>
      {({ items, total, total_pages }) =>
        total === 0 ? (
          <Empty title={text.projects.noSboms}>{text.projects.noSbomsWhy}</Empty>
        ) : (
          <>
            <Section title={text.projects.timeline}>
              <Loaded query={changes} lines={3}>
                {({ changes: known, read, total, unfollowed }) => (
                  <>
                    <VersionTimeline versions={items} changes={known} />
                    {read < total && (
                      <p className={styles.faint}>{text.projects.timelineOf(read, total)}</p>
                    )}
                    {unfollowed > 0 && (
                      <p className={styles.faint}>{text.projects.unfollowed(unfollowed)}</p>
                    )}
                  </>
                )}
              </Loaded>
            </Section>
            <CompareVersions key={page} versions={items} />
            <Section title={text.projects.history}>
              <VersionTable versions={items} />
              <Pager
                page={page}
                totalPages={total_pages}
                onPage={(next) =>
                  void navigate({ search: { page: String(next) }, resetScroll: false })
                }
              />
            </Section>
          </>
        )
      }
    </Loaded>
  );
}
