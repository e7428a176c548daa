import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ownKey, useMay } from '../../app/own-key';
import { NothingHere } from '../../app/error-view';
import { Loaded } from '../../components/loaded';
import { Empty, Page, PageHead } from '../../components/parts';
import { text } from '../../text/en';
import { AuditLog } from './audit-log';
import { Feeds } from './feeds';
import { Health } from './health';
import { Keys } from './keys';
import { Retention } from './retention';
import styles from './settings.module.css';

const sections: Record<string, () => ReactNode> = {
  feeds: Feeds,
  health: Health,
  retention: Retention,
  keys: Keys,
  audit: AuditLog,
};
/** What only a key with `admin` may read. */
const adminOnly = new Set(['keys', 'audit']);

/** Operation: the state of the data and of the services, keys, the audit log. */
export function Settings() {
  const { section } = useParams({ from: '/settings/$section' });
  const isAdmin = useMay('admin');
  const key = useQuery(ownKey());
  const Section = sections[section];
  if (!Section) return <NothingHere />;
  const titles: Record<string, string> = text.settings.sections;
  return (
    <Page>
      <PageHead
        title={titles[section]}
        lead={(text.settings.leads as Record<string, string>)[section]}
      />
      <nav className={styles.nav} aria-label={text.nav.settings}>
        {Object.keys(sections)
          .filter((name) => isAdmin || !adminOnly.has(name))
          .map((name) => (
            <Link
              key={name}
              to="/settings/$section"
              params={{ section: name }}
              search={{}}
              activeProps={{ className: styles.current, 'aria-current': 'page' }}
            >
              {titles[name]}
            </Link>
          ))}
      </nav>
      {adminOnly.has(section) && !isAdmin ? (
        <Loaded query={key} lines={6}>
          {() => <Empty title={text.settings.adminOnly}>{text.settings.adminOnlyWhy}</Empty>}
        </Loaded>
      ) : (
        <Section />
      )}
    </Page>
  );
}
