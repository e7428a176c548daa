import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, bodyOf } from '../../api/client';
import { useMay } from '../../app/own-rights';
import { formatNumber } from '../../components/format';
import { text } from '../../text/en';
import { lettersKey } from './letter-calls';
import styles from './settings.module.css';

function letterCount() {
  return queryOptions({
    queryKey: [...lettersKey, 'count'],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/api/v1/dead-letters', { params: { query: { per_page: 1 } }, signal })),
    refetchInterval: 60_000,
    retry: false,
  });
}

/** How many messages were given up; zero for who may not know, and until it is known. */
export function useLetterCount(): number {
  const enabled = useMay('administer');
  return useQuery({ ...letterCount(), enabled }).data?.total ?? 0;
}

/** “1 message was given up”, which leads to them; nothing without any. */
export function GivenUp() {
  const count = useLetterCount();
  if (count === 0) return null;
  return (
    <p className={styles.givenUp}>
      <Link to="/settings/$section" params={{ section: 'dead-letters' }} search={{}}>
        {text.letters.givenUp(count, formatNumber(count))}
      </Link>
    </p>
  );
}
