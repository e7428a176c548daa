import { ApiError, mayBeDone } from '../api/errors';
import { text } from '../text/en';
import { Button } from './button';
import styles from './controls.module.css';

/** What went wrong, what it means for the user, and what to do. */
export function ErrorNote({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const requestId = error instanceof ApiError ? error.requestId : null;
  return (
    <div className={styles.error} role="alert">
      <strong>{titleOf(error)}</strong>
      <span>{error instanceof ApiError ? error.message : text.errors.unexpected}</span>
      {requestId && (
        <small>
          {text.errors.requestId} <code>{requestId}</code>
        </small>
      )}
      {onRetry && <Button onClick={onRetry}>{text.errors.retry}</Button>}
    </div>
  );
}

function titleOf(error: unknown): string {
  if (!(error instanceof ApiError)) return text.errors.crashed;
  if (mayBeDone(error)) return text.errors.noAnswer;
  if (error.status === 0) return text.errors.noConnection;
  if (error.status === 403) return text.errors.forbidden;
  if (error.status === 404) return text.errors.notFound;
  if (error.status === 422) return text.errors.invalid;
  return text.errors.failed;
}
