import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { api, bodyOf } from '../../api/client';
import { ErrorNote } from '../../components/error-note';
import { Ago, Empty, Page, PageHead, Section, Skeleton } from '../../components/parts';
import { text } from '../../text/en';
import { vulnerabilitiesKey } from '../findings/findings-queries';
import { CompareVersions } from './compare-versions';
import { OpenCounts } from './open-counts';
import { projectBySlug, serviceChoices } from './projects-queries';
import styles from './projects.module.css';
import { versionChanges } from './version-changes';

/** The findings by which the timeline is drawn: the API's largest page. */
const mostFindings = 200;

function findingsOf(serviceId: string) {
  return queryOptions({
    queryKey: [...vulnerabilitiesKey, 'service', serviceId],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/v1/vulnerabilities', {
          params: {
            query: {
              service_id: serviceId,
              sort: 'first_seen_at',
              order: 'desc',
              per_page: mostFindings,
            },
          },
          signal,
        }),
      ),
  });
}

/** One service: what is open, and which of its versions opened and fixed what. */
export function ServiceView() {
  const { slug, serviceId } = useParams({ from: '/projects/$slug/services/$serviceId' });
  const project = useQuery(projectBySlug(slug));
  const services = useQuery({
    ...serviceChoices(project.data?.id ?? ''),
    enabled: project.data !== undefined,
  });
  const findings = useQuery(findingsOf(serviceId));
  const name = services.data?.find(({ id }) => id === serviceId)?.name;
  const error = project.error ?? findings.error;
  if (error) {
    return (
      <Page>
        <ErrorNote error={error} />
      </Page>
    );
  }
  return (
    <Page>
      <PageHead
        crumbs={
          <Link to="/projects/$slug" params={{ slug }}>
            {project.data?.name ?? slug}
          </Link>
        }
        title={name ?? text.projects.service}
        actions={
          project.data && (
            <Link to="/findings" search={{ project_id: project.data.id, service_id: serviceId }}>
              {text.projects.itsFindings}
            </Link>
          )
        }
      />
      {project.data && <OpenCounts projectId={project.data.id} serviceId={serviceId} />}
      <Section title={text.projects.timeline}>
        {!findings.data ? (
          <Skeleton lines={3} />
        ) : findings.data.items.length === 0 ? (
          <Empty title={text.projects.noChanges}>{text.projects.noChangesWhy}</Empty>
        ) : (
          <>
            <Versions findings={findings.data.items} />
            {findings.data.has_more && (
              <p className={styles.faint}>
                {text.projects.timelineOf(mostFindings, findings.data.total)}
              </p>
            )}
          </>
        )}
      </Section>
      {findings.data && <CompareVersions changes={versionChanges(findings.data.items)} />}
    </Page>
  );
}

function Versions({ findings }: { findings: Parameters<typeof versionChanges>[0] }) {
  return (
    <ol className={styles.versions} tabIndex={0} aria-label={text.projects.timeline}>
      {versionChanges(findings).map(({ sbomId, version, at, opened, fixed }) => (
        <li key={sbomId} className={styles.version}>
          <Link to="/sboms/$sbomId" params={{ sbomId }}>
            <b>{version ?? text.panel.sbom}</b>
          </Link>
          <span>
            <Ago at={at} />
          </span>
          {opened > 0 && <span className={styles.plus}>{text.projects.opened(opened)}</span>}
          {fixed > 0 && <span className={styles.minus}>{text.projects.fixed(fixed)}</span>}
        </li>
      ))}
    </ol>
  );
}
