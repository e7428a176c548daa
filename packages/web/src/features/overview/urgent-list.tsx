import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatNumber } from '../../components/format';
import { Tag } from '../../components/parts';
import { SeverityBadge } from '../../components/severity';
import { text } from '../../text/en';
import type { Finding } from '../findings/findings-queries';
import styles from './overview.module.css';
import { servicesWith } from './overview-queries';

/** A few vulnerabilities, each a link to its findings with the panel of the most risky one. */
export function UrgentList({ items }: { items: readonly Finding[] }) {
  return (
    <ul className={styles.urgent}>
      {items.map((item) => (
        <li key={item.id}>
          <Link to="/findings" search={{ cve_id: item.cve_id, finding: item.id }}>
            <span className={styles.badge}>
              <SeverityBadge severity={item.severity} score={item.cvss_score} />
            </span>
            <span className={styles.main}>
              <b>{item.cve_id}</b> {item.kev && <Tag kind="bad">{text.findings.kev}</Tag>}{' '}
              <span className={styles.title}>{item.title ?? item.package_name}</span>
            </span>
            <span className={styles.package}>
              {item.package_name} {item.package_version}
              {item.fixed_versions[0] && <b> {text.overview.fixedIn(item.fixed_versions[0])}</b>}
            </span>
            <span className={styles.where}>
              <Where item={item} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** The only service that has it, or how many do. */
function Where({ item }: { item: Finding }) {
  const { data: services, isError } = useQuery(servicesWith(item.cve_id));
  if (services === undefined) return <>{isError ? '–' : '…'}</>;
  if (services > 1) return <>{text.overview.services(formatNumber(services))}</>;
  return (
    <>
      {item.service_name ?? text.common.projectLevel} · {item.project_name}
    </>
  );
}
