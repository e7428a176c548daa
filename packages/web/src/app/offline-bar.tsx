import { useSyncExternalStore } from 'react';
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

/** Says that what is shown may be old while the browser has no network. */
export function OfflineBar() {
  const online = useSyncExternalStore(subscribe, () => navigator.onLine);
  if (online) return null;
  return (
    <p className={styles.offline} role="status">
      {text.errors.offlineBar}
    </p>
  );
}
