import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import { ErrorNote } from '../../components/error-note';
import { Facts, Skeleton, Tag } from '../../components/parts';
import { text } from '../../text/en';
import { readiness } from '../overview/overview-queries';
import { GivenUp } from './letter-count';
import styles from './settings.module.css';

/** What is up and what is down. */
export function Health() {
  const { data, error, refetch } = useQuery(readiness());
  const version = useQuery({
    queryKey: ['version'],
    queryFn: ({ signal }) => bodyOf(api.GET('/version', { signal })),
  });
  if (error) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton lines={4} />;
  return (
    <>
      <GivenUp />
      <ul className={styles.checks}>
        {Object.entries(data.checks).map(([name, state]) => (
          <li key={name}>
            {name} <Tag kind={state === 'up' ? 'good' : 'bad'}>{text.settings.states[state]}</Tag>
          </li>
        ))}
      </ul>
      {version.data && (
        <Facts
          facts={[
            [text.settings.version, version.data.version],
            [text.settings.commit, version.data.commit],
          ]}
        />
      )}
    </>
  );
}
