import { useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode } from 'react';
import { announceView } from './view-name';
import { formatAgo, formatInstant } from './format';
import styles from './parts.module.css';

/** The content of a view: a heading, what it opens with, and the rest. */
export function Page({ children, wide = false }: { children: ReactNode; wide?: boolean }) {
  return <div className={wide ? `${styles.page} ${styles.wide}` : styles.page}>{children}</div>;
}

interface HeadProps {
  title: ReactNode;
  /** The answer first: one sentence. */
  lead?: ReactNode;
  actions?: ReactNode;
  crumbs?: ReactNode;
  /** Names the tab, if the title is no name. */
  name?: string;
}

export function PageHead({ title, lead, actions, crumbs, name }: HeadProps) {
  return (
    <header className={styles.head}>
      <div className={styles.titles}>
        {crumbs && <div className={styles.crumbs}>{crumbs}</div>}
        <ViewHeading name={name}>{title}</ViewHeading>
        {lead && <p className={styles.lead}>{lead}</p>}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </header>
  );
}

/** The heading of a view, which also names its tab: in the history of the browser and for screen readers. */
export function ViewHeading({
  name,
  children,
}: {
  name?: string | undefined;
  children: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  // Also if the same view shows something else, whose data were there already.
  const pathname = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  useEffect(() => {
    document.title = `${name ?? heading.current?.textContent} – bomtrail`;
  });
  useEffect(() => {
    // Not each change of a count in it.
    if (pathname !== undefined) announceView(heading.current?.textContent ?? '');
  }, [pathname]);
  return <h1 ref={heading}>{children}</h1>;
}

/** A part of a view with its own heading. */
export function Section({
  title,
  aside,
  children,
}: {
  title: string;
  aside?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className={styles.section}>
      <div className={styles.sectionHead}>
        <h2>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

/** Nothing to show, and why that is, or what to do next. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <strong>{title}</strong>
      {children && <div>{children}</div>}
    </div>
  );
}

/** Lines of the final height while data are on their way. */
export function Skeleton({ lines = 4 }: { lines?: number }) {
  return (
    <div className={styles.skeleton} aria-hidden="true">
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} />
      ))}
    </div>
  );
}

/** How long ago, with the full date on hover and for screen readers. */
export function Ago({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatInstant(at)} className={styles.nowrap}>
      {formatAgo(at, Date.now())}
    </time>
  );
}

/** The clock time, to be compared with logs, and how long ago that is. */
export function Clock({ at }: { at: string }) {
  return (
    <time dateTime={at} className={styles.clock}>
      {formatInstant(at)} <span>{formatAgo(at, Date.now())}</span>
    </time>
  );
}

/** A word that is no severity: neutral, or a warning. */
export function Tag({
  kind = 'plain',
  title,
  children,
}: {
  kind?: TagKind;
  title?: string;
  children: ReactNode;
}) {
  return (
    <span className={`${styles.tag} ${styles[kind]}`} title={title}>
      {children}
    </span>
  );
}

export type TagKind = 'plain' | 'good' | 'warn' | 'bad';

/** Names and values, one line each. */
export function Facts({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className={styles.facts}>
      {facts
        .filter(([, value]) => value !== null && value !== undefined && value !== '')
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
