import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';
import { ApiError } from '../../api/errors';
import { useMay } from '../../app/own-rights';
import { Button } from '../../components/button';
import { ErrorNote } from '../../components/error-note';
import { formatDay, formatShare } from '../../components/format';
import { Facts, Skeleton, Tag } from '../../components/parts';
import { SeverityBadge } from '../../components/severity';
import { text } from '../../text/en';
import { DependencyPaths } from '../sboms/dependency-paths';
import { Advisory } from './advisory';
import { Affected } from './affected';
import { Decisions } from './decisions';
import { Directness } from './directness';
import { Due } from './due';
import { findingDetail, type FindingDetail } from './findings-queries';
import styles from './panel.module.css';
import { Timeline } from './timeline';

interface PanelProps {
  id: string;
  onClose: () => void;
  onAccept: (finding: FindingDetail) => void;
}

/** All that is known of one finding, beside the list. */
export function FindingPanel({ id, onClose, onAccept }: PanelProps) {
  const { data, error, refetch } = useQuery(findingDetail(id));
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    if (panel.current) panel.current.scrollTop = 0;
  }, [id]);
  useFocusWhileOpen(panel);
  return (
    <aside ref={panel} className={styles.panel} aria-label={text.panel.label} tabIndex={-1}>
      <div className={styles.top}>
        <h2>{data?.cve_id ?? text.panel.label}</h2>
        <Button kind="quiet" onClick={onClose} aria-label={text.panel.close}>
          ✕
        </Button>
      </div>
      {error ? (
        <ErrorNote error={error} {...(isGone(error) ? {} : { onRetry: () => void refetch() })} />
      ) : data ? (
        <Content finding={data} onAccept={onAccept} />
      ) : (
        <Skeleton lines={8} />
      )}
    </aside>
  );
}

/** The panel takes the focus, and gives it back to where it was opened from. */
function useFocusWhileOpen(panel: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const opener = document.activeElement;
    const opened = panel.current;
    opened?.focus({ preventScroll: true });
    return () => {
      if (opener instanceof HTMLElement && opened?.contains(document.activeElement)) {
        opener.focus({ preventScroll: true });
      }
    };
  }, [panel]);
}

function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

function Content({ finding, onAccept }: { finding: FindingDetail } & Pick<PanelProps, 'onAccept'>) {
  const mayDecide = useMay('decide', finding.project_id);
  return (
    <>
      <p className={styles.title}>{finding.title ?? text.panel.noTitle}</p>
      <div className={styles.tags}>
        <SeverityBadge severity={finding.severity} score={finding.cvss_score} />
        <Tag>{text.status[finding.status]}</Tag>
        {finding.kev && <Tag kind="bad">{text.panel.kev(formatDay(finding.kev.date_added))}</Tag>}
        {finding.kev?.ransomware && <Tag kind="bad">{text.panel.ransomware}</Tag>}
      </div>
      <p className={styles.todo}>{todoOf(finding)}</p>
      {finding.status === 'open' && mayDecide && (
        <div className={styles.decide}>
          <Button aria-describedby="decide-what" onClick={() => onAccept(finding)}>
            {text.panel.accept}
          </Button>
          <span id="decide-what" className={styles.soft}>
            {text.findings.decideWhat}
          </span>
        </div>
      )}
      <Facts facts={factsOf(finding)} />
      {!finding.is_direct && finding.purl && (
        <section className={styles.part}>
          <h3>{text.paths.title}</h3>
          <DependencyPaths sbomId={finding.sbom_id} purl={finding.purl} />
        </section>
      )}
      <Decisions finding={finding} />
      <Timeline events={finding.timeline} complete={finding.timeline_complete} />
      <Affected advisoryId={finding.cve_id} current={finding.id} />
      <Advisory finding={finding} />
    </>
  );
}

/** What to do, in one sentence. */
function todoOf({ status, package_name, package_version, fixed_versions }: FindingDetail): string {
  if (status === 'fixed') return text.panel.isFixed;
  const [fix] = fixed_versions;
  return fix
    ? text.panel.upgrade(package_name, package_version, fix)
    : text.panel.noFix(package_name, package_version);
}

function Owner({ owner }: { owner: string | null }) {
  if (owner === null) return text.projects.ownership.nobody;
  return (
    <Link to="/findings" search={{ owner }}>
      {owner}
    </Link>
  );
}

function factsOf(finding: FindingDetail) {
  const { facts } = text.panel;
  const service = finding.service_name ?? text.common.projectLevel;
  return [
    [facts.package, <code key="purl">{finding.purl ?? finding.package_name}</code>],
    [facts.versions, finding.package_versions.join(', ')],
    [facts.fixedIn, finding.fixed_versions.join(', ') || text.findings.noFix],
    [facts.dependency, <Directness key="dependency" finding={finding} />],
    [
      facts.service,
      <span key="service">
        {service} · {finding.project_name}
      </span>,
    ],
    [facts.owner, <Owner key="owner" owner={finding.owner ?? null} />],
    [
      facts.sbom,
      <Link key="sbom" to="/sboms/$sbomId" params={{ sbomId: finding.sbom_id }}>
        {finding.introduced_in.version ?? text.panel.sbom}
      </Link>,
    ],
    [facts.due, finding.due_at && <Due key="due" at={finding.due_at} status={finding.status} />],
    [
      facts.risk,
      typeof finding.risk === 'number' ? text.panel.risk(Math.round(finding.risk)) : null,
    ],
    [
      facts.epss,
      typeof finding.epss_score === 'number'
        ? text.panel.epss(
            formatShare(finding.epss_score),
            formatShare(finding.epss_percentile ?? 0),
          )
        : null,
    ],
    [facts.severitySource, finding.severity_source],
  ] as const;
}
