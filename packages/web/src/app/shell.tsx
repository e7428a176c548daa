import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { Activity, useState, useSyncExternalStore, type ReactNode } from 'react';
import { personName } from '../components/format';
import { useShortcuts } from '../components/shortcuts';
import { Toasts } from '../components/toasts';
import { announcedView, subscribeToViews } from '../components/view-name';
import { text } from '../text/en';
import { DropAnywhere } from './drop-anywhere';
import { menuEntry } from './menu-entry';
import { OfflineBar } from './offline-bar';
import { useQuery } from '@tanstack/react-query';
import { me } from './own-rights';
import { endPersonSession } from './person';
import { signOut, useSession } from './session';
import { ShortcutHelp } from './shortcut-help';
import { SignIn } from './sign-in';
import { ThemeSwitch } from './theme-switch';
import { UnknownRights } from './unknown-rights';
import styles from './shell.module.css';

const views = [
  ['/', text.nav.overview],
  ['/findings', text.nav.findings],
  ['/plan', text.plan.nav],
  ['/projects', text.nav.projects],
  ['/search', text.nav.search],
  ['/alerts', text.nav.alerts],
] as const;

/**
 * What stands around every view; signed out, the sign-in form instead. If a form was open when the session ended by
 * itself, the view is kept, out of sight: what somebody was writing is there again when they have signed in.
 */
export function Shell({ children }: { children: ReactNode }) {
  const { identity, keepsForm } = useSession();
  const isSignedIn = identity !== null;
  return (
    <>
      {!isSignedIn && <SignIn />}
      {(isSignedIn || keepsForm) && (
        <Activity mode={isSignedIn ? 'visible' : 'hidden'}>
          <SignedIn>{children}</SignedIn>
        </Activity>
      )}
    </>
  );
}

function SignedIn({ children }: { children: ReactNode }) {
  const [help, setHelp] = useState(false);
  const navigate = useNavigate();
  const entry = useLocation({ select: ({ pathname }) => menuEntry(pathname) });
  /** All views of an entry mark it; the router says of the entry itself that it is the page. */
  const markOf = (to: string) =>
    to === entry
      ? ({ className: `${styles.link} ${styles.current}`, 'aria-current': 'true' } as const)
      : { className: styles.link };
  useShortcuts({
    '?': () => setHelp(true),
    'ctrl+k': () => void navigate({ to: '/search' }),
  });
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#main">
        {text.nav.skip}
      </a>
      <header className={styles.bar}>
        <Link to="/" className={styles.brand}>
          <span className={styles.mark} aria-hidden="true" />
          bomtrail
        </Link>
        <nav className={styles.nav} aria-label={text.nav.label}>
          {views.map(([to, label]) => (
            <Link
              key={to}
              to={to}
              {...markOf(to)}
              activeProps={{}}
              activeOptions={{ exact: true, includeSearch: false }}
            >
              {label}
            </Link>
          ))}
          <Link
            to="/settings/$section"
            params={{ section: 'feeds' }}
            {...markOf('/settings')}
            activeProps={{}}
            activeOptions={{ exact: true, includeSearch: false }}
          >
            {text.nav.settings}
          </Link>
        </nav>
        <div className={styles.tools}>
          <button type="button" className={styles.tool} onClick={() => setHelp(true)}>
            <span aria-hidden="true">?</span>
            <span className="visually-hidden">{text.nav.help}</span>
          </button>
          <ThemeSwitch />
          <SignOut />
        </div>
      </header>
      <ViewChange />
      <OfflineBar />
      <UnknownRights />
      <main id="main" className={styles.main} tabIndex={-1}>
        {children}
      </main>
      <DropAnywhere />
      <Toasts />
      {help && <ShortcutHelp onClose={() => setHelp(false)} />}
    </div>
  );
}

/** Says to screen readers which view has replaced the one before: nothing is loaded that would make them say it. */
function ViewChange() {
  return (
    <p className="visually-hidden" aria-live="polite">
      {useSyncExternalStore(subscribeToViews, announcedView)}
    </p>
  );
}

function SignOut() {
  const { identity } = useSession();
  const { data } = useQuery(me());
  const isPerson = identity?.kind === 'person';
  const person = data?.person;
  return (
    <>
      {isPerson && <span className={styles.who}>{person && personName(person)}</span>}
      <button
        type="button"
        className={styles.tool}
        onClick={() => (isPerson ? void endPersonSession() : signOut())}
      >
        {text.nav.signOut}
      </button>
    </>
  );
}
