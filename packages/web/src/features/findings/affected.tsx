import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ErrorNote } from '../../components/error-note';
import { Skeleton, Tag } from '../../components/parts';
import { text } from '../../text/en';
import { affectedBy } from './findings-queries';
import styles from './panel.module.css';
import { servicesAmong } from './services-among';

/** Every service that has the vulnerability. */
export function Affected({ advisoryId, current }: { advisoryId: string; current: string }) {
  const { data, error, refetch } = useQuery(affectedBy(advisoryId));
  const services = data && servicesAmong(data);
  return (
    <section className={styles.part}>
      <h3>{text.panel.affected(services?.words, services?.count)}</h3>
      {data ? (
        <ul className={styles.rows}>
          {data.items.map((item) => (
            <li key={item.id}>
              <Link
                to="/findings"
                search={{ finding: item.id, cve_id: item.cve_id, status: 'open,accepted' }}
              >
                {item.service_name ?? text.common.projectLevel} · {item.project_name}
              </Link>
              <span className={styles.soft}>
                <bdi>{item.package_name}</bdi> <bdi>{item.package_version}</bdi>{' '}
                {item.id === current ? <Tag>{text.panel.thisOne}</Tag> : null}
                {item.status === 'accepted' ? <Tag>{text.status.accepted}</Tag> : null}
              </span>
            </li>
          ))}
        </ul>
      ) : error ? (
        <ErrorNote error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton lines={2} />
      )}
      {data?.has_more && (
        <Link to="/search" search={{ q: advisoryId }}>
          {text.panel.affectedMore}
        </Link>
      )}
    </section>
  );
}
