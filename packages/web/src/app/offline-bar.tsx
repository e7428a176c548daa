import { notifyManager, useQueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import { ApiError } from '../api/errors';
import { text } from '../text/en';
import styles from './shell.module.css';

function subscribe(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}

/** Says that what is shown may be old: the browser has no network, or the server did not answer when asked again. */
export function OfflineBar() {
  const online = useSyncExternalStore(subscribe, () => navigator.onLine);
  const why = useWhyOld();
  if (online && why === null) return null;
  return (
    <p className={styles.offline} role="status">
      {online && why !== null ? text.errors[why] : text.errors.offlineBar}
    </p>
  );
}

/**
 * Why a view shows data that could not be fetched again: `gone` if all of these are not found or not allowed; null: it
 * shows none. Without any data it shows the error itself.
 */
function useWhyOld(): 'old' | 'gone' | null {
  const cache = useQueryClient().getQueryCache();
  return useSyncExternalStore(
    useCallback((listener) => cache.subscribe(notifyManager.batchCalls(listener)), [cache]),
    () => {
      const old = cache
        .getAll()
        .filter(
          (query) =>
            query.state.status === 'error' && query.state.data !== undefined && query.isActive(),
        );
      if (old.length === 0) return null;
      const isGone = ({ state: { error } }: (typeof old)[number]) =>
        error instanceof ApiError && [403, 404].includes(error.status);
      return old.every(isGone) ? 'gone' : 'old';
    },
  );
}
