import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Skeleton, Tag } from '../../components/parts';
import { text } from '../../text/en';
import { affectedBy } from './findings-queries';
import styles from './panel.module.css';

/** Every service that has the vulnerability. */
export function Affected({ advisoryId, current }: { advisoryId: string; current: string }) {
  const { data, error } = useQuery(affectedBy(advisoryId));
  if (error) return null;
  return (
    <section className={styles.part}>
      <h3>{text.panel.affected(data?.total)}</h3>
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
                {item.package_name} {item.package_version}{' '}
                {item.id === current ? <Tag>{text.panel.thisOne}</Tag> : null}
                {item.status === 'accepted' ? <Tag>{text.status.accepted}</Tag> : null}
              </span>
            </li>
          ))}
        </ul>
      ) : (
        <Skeleton lines={2} />
      )}
    </section>
  );
}
