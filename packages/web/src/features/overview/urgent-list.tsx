import { Link } from '@tanstack/react-router';
import { Tag } from '../../components/parts';
import { SeverityBadge } from '../../components/severity';
import { text } from '../../text/en';
import type { Finding } from '../findings/findings-queries';
import styles from './overview.module.css';

/** A few findings, each a link to its panel. */
export function UrgentList({ items }: { items: readonly Finding[] }) {
  return (
    <ul className={styles.urgent}>
      {items.map((item) => (
        <li key={item.id}>
          <Link to="/findings" search={{ finding: item.id }}>
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
              {item.service_name ?? text.common.projectLevel} · {item.project_name}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
