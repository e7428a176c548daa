import { Link } from '@tanstack/react-router';
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
  return (
    <div className={styles.state}>
      <ViewHeading>{text.errors.crashed}</ViewHeading>
      <ErrorNote error={error} onRetry={reset} />
    </div>
  );
}
