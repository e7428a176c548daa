import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { me, useRights, type Right } from '../../app/own-rights';
import { NothingHere } from '../../app/error-view';
import { formatNumber } from '../../components/format';
import { Loaded } from '../../components/loaded';
import { Empty, Page, PageHead, Tag } from '../../components/parts';
import { text } from '../../text/en';
import { Imports } from '../imports/imports';
import { AuditLog } from './audit-log';
import { DeadLetters } from './dead-letters';
import { Feeds } from './feeds';
import { Health } from './health';
import { Keys } from './keys';
import { useLetterCount } from './letter-count';
import { OwnKeys } from './own-keys';
import { People } from './people';
import { Retention } from './retention';
import styles from './settings.module.css';

interface SectionOfSettings {
  View: () => ReactNode;
  /** Which right it needs, if one of its own. */
  needed?: Right;
}

const sections: Readonly<Record<string, SectionOfSettings>> = {
  feeds: { View: Feeds },
  health: { View: Health },
  retention: { View: Retention },
  imports: { View: Imports },
  'own-keys': { View: OwnKeys, needed: 'own-keys' },
  keys: { View: Keys, needed: 'keys' },
  people: { View: People, needed: 'administer' },
  audit: { View: AuditLog, needed: 'audit' },
  'dead-letters': { View: DeadLetters, needed: 'administer' },
};

/** Operation: the state of the data and of the services, keys, the audit log. */
export function Settings() {
  const { section } = useParams({ from: '/settings/$section' });
  const rights = useRights();
  const isShown = ({ needed }: SectionOfSettings) => !needed || rights.has(needed);
  const letters = useLetterCount();
  const caller = useQuery(me());
  const chosen = sections[section];
  if (!chosen) return <NothingHere />;
  const titles: Record<string, string> = text.settings.sections;
  return (
    <Page>
      <PageHead
        title={titles[section]}
        lead={(text.settings.leads as Record<string, string>)[section]}
      />
      <nav className={styles.nav} aria-label={text.nav.settings}>
        {Object.entries(sections)
          .filter(([, one]) => isShown(one))
          .map(([name]) => (
            <Link
              key={name}
              to="/settings/$section"
              params={{ section: name }}
              search={{}}
              activeProps={{ className: styles.current, 'aria-current': 'page' }}
            >
              {titles[name]}
              {name === 'dead-letters' && letters > 0 && (
                <>
                  {' '}
                  <Tag kind="bad">{formatNumber(letters)}</Tag>
                </>
              )}
            </Link>
          ))}
      </nav>
      {isShown(chosen) ? (
        <chosen.View />
      ) : (
        <Loaded query={caller} lines={6}>
          {() => <Empty title={text.settings.adminOnly}>{text.settings.adminOnlyWhy}</Empty>}
        </Loaded>
      )}
    </Page>
  );
}
