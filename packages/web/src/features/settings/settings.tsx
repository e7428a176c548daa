import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { me, useMay, type Right } from '../../app/own-rights';
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

const sections: Record<string, () => ReactNode> = {
  feeds: Feeds,
  health: Health,
  retention: Retention,
  imports: Imports,
  'own-keys': OwnKeys,
  keys: Keys,
  people: People,
  audit: AuditLog,
  'dead-letters': DeadLetters,
};
/** Sections that need a right of their own. */
const needed: Readonly<Record<string, Right | undefined>> = {
  'own-keys': 'own-keys',
  keys: 'keys',
  people: 'administer',
  audit: 'audit',
  'dead-letters': 'administer',
};

/** Operation: the state of the data and of the services, keys, the audit log. */
export function Settings() {
  const { section } = useParams({ from: '/settings/$section' });
  const may: Record<string, boolean> = {
    'own-keys': useMay('own-keys'),
    keys: useMay('keys'),
    people: useMay('administer'),
    audit: useMay('audit'),
    'dead-letters': useMay('administer'),
  };
  const letters = useLetterCount();
  const caller = useQuery(me());
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
          .filter((name) => !needed[name] || may[name])
          .map((name) => (
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
      {needed[section] && !may[section] ? (
        <Loaded query={caller} lines={6}>
          {() => <Empty title={text.settings.adminOnly}>{text.settings.adminOnlyWhy}</Empty>}
        </Loaded>
      ) : (
        <Section />
      )}
    </Page>
  );
}
