import { useQuery } from '@tanstack/react-query';
import { Button } from '../components/button';
import { text } from '../text/en';
import { me } from './own-rights';
import styles from './shell.module.css';

/** Says why nothing to do is offered: what the caller may do could not be read. */
export function UnknownRights() {
  const rights = useQuery(me());
  if (rights.data || !rights.isError) return null;
  return (
    <p className={styles.offline} role="status">
      {text.errors.rightsUnread}{' '}
      <Button onClick={() => void rights.refetch()}>{text.errors.retry}</Button>
    </p>
  );
}
