import { Link } from '@tanstack/react-router';
import type { Schemas } from '../../api/client';
import { Ago } from '../../components/parts';
import { text } from '../../text/en';
import styles from './panel.module.css';

interface TimelineProps {
  events: readonly Schemas['TimelineEvent'][];
  complete: boolean;
}

/** What happened to a finding, the latest first. */
export function Timeline({ events, complete }: TimelineProps) {
  return (
    <section className={styles.part}>
      <h3>{text.panel.timeline}</h3>
      <ol className={styles.timeline}>
        {[...events].reverse().map((event) => (
          <li key={`${event.at} ${event.event}`} className={styles[event.event]}>
            <span>
              {text.panel.events[event.event]}{' '}
              {event.sbom_id && (
                <Link to="/sboms/$sbomId" params={{ sbomId: event.sbom_id }}>
                  {event.version ?? text.panel.sbom}
                </Link>
              )}
            </span>
            <span className={styles.soft}>
              <Ago at={event.at} />
            </span>
          </li>
        ))}
      </ol>
      {!complete && <p className={styles.soft}>{text.panel.timelineIncomplete}</p>}
    </section>
  );
}
