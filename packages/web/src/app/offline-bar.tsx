import { notifyManager, useQueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
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
  const isOld = useShowsOld();
  if (online && !isOld) return null;
  return (
    <p className={styles.offline} role="status">
      {online ? text.errors.old : text.errors.offlineBar}
    </p>
  );
}

/** Whether a view shows data that could not be fetched again. Without any data it shows the error itself. */
function useShowsOld(): boolean {
  const cache = useQueryClient().getQueryCache();
  return useSyncExternalStore(
    useCallback((listener) => cache.subscribe(notifyManager.batchCalls(listener)), [cache]),
    () =>
      cache
        .getAll()
        .some(
          (query) =>
            query.state.status === 'error' && query.state.data !== undefined && query.isActive(),
        ),
  );
}
