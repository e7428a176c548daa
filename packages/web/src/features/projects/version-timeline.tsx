import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { Ago } from '../../components/parts';
import { text } from '../../text/en';
import styles from './projects.module.css';
import type { Version } from './service-queries';
import type { VersionChange } from './version-changes';

interface TimelineProps {
  /** Newest first. */
  versions: readonly Version[];
  changes: ReadonlyMap<string, VersionChange>;
}

const nothing: VersionChange = { opened: 0, reopened: 0, fixed: 0 };

/** The versions from left to right as dots, each with what it opened and fixed. */
export function VersionTimeline({ versions, changes }: TimelineProps) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    if (list.current) list.current.scrollLeft = list.current.scrollWidth;
  }, [versions]);
  return (
    <ol ref={list} className={styles.versions} tabIndex={0} aria-label={text.projects.timeline}>
      {[...versions].reverse().map(({ id, version, created_at, scan_status }) => {
        const { opened, reopened, fixed } = changes.get(id) ?? nothing;
        const isUnscanned = scan_status === 'pending' || scan_status === 'failed';
        const kind = opened + reopened > 0 ? styles.worse : fixed > 0 ? styles.better : '';
        return (
          <li key={id} className={`${styles.version} ${kind}`}>
            <Link to="/sboms/$sbomId" params={{ sbomId: id }}>
              <b>{version ?? text.panel.sbom}</b>
            </Link>
            <span>{created_at && <Ago at={created_at} />}</span>
            {opened > 0 && <span className={styles.plus}>{text.projects.opened(opened)}</span>}
            {reopened > 0 && (
              <span className={styles.plus}>{text.projects.reopened(reopened)}</span>
            )}
            {fixed > 0 && <span className={styles.minus}>{text.projects.fixed(fixed)}</span>}
            {opened + reopened + fixed === 0 && (
              <span>{isUnscanned ? text.sbom[scan_status] : text.projects.unchanged}</span>
            )}
          </li>
        );
      })}
    </ol>
  );
}
