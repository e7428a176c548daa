import type { ReactNode } from 'react';
import { ErrorNote } from './error-note';
import { Page, Skeleton } from './parts';
import styles from './parts.module.css';

/** A query as a view sees it: data, or why there are none. */
interface Query<T> {
  data: T | undefined;
  error: unknown;
  refetch: () => unknown;
}

interface LoadedProps<T> {
  query: Query<T>;
  /** Lines of the skeleton: the expected height. */
  lines: number;
  children: (data: T) => ReactNode;
}

/** What a query brought; before that a skeleton, or the error. Data that are there stay. */
export function Loaded<T>({ query, lines, children }: LoadedProps<T>) {
  const { data, error, refetch } = query;
  if (data !== undefined) return <>{children(data)}</>;
  if (error) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  return <Skeleton lines={lines} />;
}

/** The same for a whole view. */
export function LoadedPage<T>({ query, lines, children }: LoadedProps<T>) {
  if (query.data !== undefined) return <Page>{children(query.data)}</Page>;
  return (
    <Page>
      <Loaded query={query} lines={lines}>
        {children}
      </Loaded>
    </Page>
  );
}

/**
 * Around what stays of the choice before (`isStale`) until the answer to the present one has come: greyed, not
 * printed, and out of use, since its links would lead to the present choice.
 */
export function StaleContent({ isStale, children }: { isStale: boolean; children: ReactNode }) {
  return (
    <div
      className={isStale ? `${styles.content} ${styles.stale}` : styles.content}
      inert={isStale}
      aria-busy={isStale}
    >
      {children}
    </div>
  );
}
