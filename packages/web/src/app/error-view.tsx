import { Link } from '@tanstack/react-router';
import { ErrorNote } from '../components/error-note';
import { text } from '../text/en';
import styles from './shell.module.css';

/** An address that no view has. */
export function NothingHere() {
  return (
    <div className={styles.state}>
      <h1>{text.errors.nothingHere}</h1>
      <p className={styles.lead}>{text.errors.nothingHereWhy}</p>
      <Link to="/">{text.errors.toOverview}</Link>
    </div>
  );
}

/** A mistake of the page itself: other views still work. */
export function CrashView({ error, reset }: { error: unknown; reset: () => void }) {
  return (
    <div className={styles.state}>
      <h1>{text.errors.crashed}</h1>
      <ErrorNote error={error} onRetry={reset} />
    </div>
  );
}
