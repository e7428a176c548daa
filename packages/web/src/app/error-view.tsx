import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ErrorNote } from '../components/error-note';
import { ViewHeading } from '../components/parts';
import { text } from '../text/en';
import styles from './shell.module.css';

/** An address that no view has. */
export function NothingHere() {
  return (
    <div className={styles.state}>
      <ViewHeading>{text.errors.nothingHere}</ViewHeading>
      <p className={styles.lead}>{text.errors.nothingHereWhy}</p>
      <Link to="/">{text.errors.toOverview}</Link>
    </div>
  );
}

/** A mistake of the page itself: other views still work. */
export function CrashView({ error, reset }: { error: unknown; reset: () => void }) {
  useEffect(() => reloadWithoutStyles(error), [error]);
  return (
    <div className={styles.state}>
      <ViewHeading>{text.errors.crashed}</ViewHeading>
      <ErrorNote error={error} onRetry={reset} />
    </div>
  );
}

/**
 * Loads the page again if the style sheet of a view is gone, as in a tab that was open during an upgrade; once for each
 * sheet, which may be missing for another reason. The router does the same for scripts.
 */
function reloadWithoutStyles(error: unknown): void {
  if (!(error instanceof Error) || !error.message.startsWith('Unable to preload CSS')) return;
  const storageKey = `bomtrail.reload:${error.message}`;
  if (sessionStorage.getItem(storageKey)) return;
  sessionStorage.setItem(storageKey, '1');
  location.reload();
}
